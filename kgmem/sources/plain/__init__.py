"""Plain folders of Markdown, as editors, site generators and exports of other tools write them."""
