"""What sentences claim, each read as a note of its own on 12 March 2026; "I" is Mia Berg."""

import pytest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Mira's employer Acme moved to Bonn in 2020.",
            ["Acme | LOCATED_IN | Bonn | 2020–", "Mira | WORKS_AT | Acme"],
        ),
        (
            "Acme, founded in 1999 by Bo Li, is based in Bonn.",
            ["Acme | LOCATED_IN | Bonn", "Bo Li | FOUNDED | Acme | 1999–"],
        ),
        (
            "Bo said that Ana works at Acme.",
            ["Bo | SAYS | Ana works at Acme."],
        ),
        (
            '"I joined Acme in 2020," said Bo.',
            ["Bo | SAYS | Bo works at Acme."],
        ),
        (
            "After leaving Acme in 2020, Ana joined Beta.",
            ["Ana | WORKS_AT | Beta", "ends Ana | WORKS_AT | Acme | –2020"],
        ),
        (
            "Acme, where Ana works, is in Bonn.",
            ["Acme | LOCATED_IN | Bonn", "Ana | WORKS_AT | Acme"],
        ),
        (
            "Ana used to work at Acme.",
            ["ends Ana | WORKS_AT | Acme"],
        ),
        (
            "Ana no longer works at Acme.",
            ["ends Ana | WORKS_AT | Acme"],
        ),
        (
            "I switched from Vim to Emacs.",
            ["Mia Berg | USES | Emacs", "ends Mia Berg | USES | Vim"],
        ),
        (
            "Ana and Ben joined Acme in 2020 and left in 2022.",
            [
                "Ana | WORKS_AT | Acme | 2020–",
                "Ben | WORKS_AT | Acme | 2020–",
                "ends Ana | WORKS_AT | Acme | –2022",
                "ends Ben | WORKS_AT | Acme | –2022",
            ],
        ),
        (
            "Bo was born in Lyon in 1970 and is married to Ana.",
            ["Bo | BORN_IN | Lyon | 1970–", "Bo | BORN_ON | 1970", "Bo | MARRIED_TO | Ana"],
        ),
        (
            "Ana started working at Acme in 2020.",
            ["Ana | WORKS_AT | Acme | 2020–"],
        ),
        (
            "Ana has been a member of the Green Party since 2015.",
            ["Ana | MEMBER_OF | Green Party | 2015–"],
        ),
        (
            "Ana worked at Acme for three years until 2020.",
            ["Ana | WORKS_AT | Acme | 2017–2020"],
        ),
        (
            "Acme was acquired by Beta in 2020.",
            ["Acme | OWNED_BY | Beta | 2020–"],
        ),
        (
            "Ana got married to Bo in 2019.",
            ["Ana | MARRIED_TO | Bo | 2019–"],
        ),
        (
            "Yesterday I met Eva Lind at PyCon in Lyon.",
            ["Mia Berg | MET | Eva Lind | 2026-03-11–"],
        ),
        (
            "She grew up in Lyon. Ana Berg now lives in Rome. She works for Siemens.",
            ["Ana Berg | LIVES_IN | Rome", "Ana Berg | WORKS_AT | Siemens"],
        ),
        (
            "Bo Li founded Acme in 2003. He sold the company to Beta in 2010.",
            [
                "Acme | OWNED_BY | Beta | 2010–",
                "Bo Li | FOUNDED | Acme | 2003–",
                "ends Acme | OWNED_BY | Bo Li | –2010",
            ],
        ),
        (
            "Acme's founder Bo Li studied at MIT.",
            ["Bo Li | FOUNDED | Acme", "ends Bo Li | STUDIED_AT | MIT"],
        ),
        (
            "Ana Berg, a former employee of Acme, lives with her husband Tom Kranz in Rome.",
            ["Ana Berg | LIVES_IN | Rome", "Tom Kranz | MARRIED_TO | Ana Berg", "ends Ana Berg | WORKS_AT | Acme"],
        ),
        (
            "Dune was written by Frank Herbert in 1965.",
            ["Dune | WRITTEN_BY | Frank Herbert | 1965–"],
        ),
        (
            "Ana joined the Harmony Choir in 2019 and left it in 2021.",
            [
                "Ana | MEMBER_OF | Harmony Choir | 2019–",
                "ends Ana | MEMBER_OF | Harmony Choir | –2021",
                "ends Ana | WORKS_AT | Harmony Choir | –2021",
            ],
        ),
        (
            "Lena worked at Bosch from 2010 to 2015, then at Siemens.",
            ["Lena | WORKS_AT | Bosch | 2010–2015"],
        ),
        (
            "In 2019, Lena left Bosch and joined Siemens.",
            ["Lena | WORKS_AT | Siemens | 2019–", "ends Lena | WORKS_AT | Bosch | –2019"],
        ),
        (
            "Lena moved from Berlin to Rome in 2018 and bought a flat in Trastevere.",
            ["Lena | LIVES_IN | Rome | 2018–", "ends Lena | LIVES_IN | Berlin | –2018"],
        ),
        (
            "Before she joined Siemens in 2016, Lena studied physics at ETH.",
            ["Lena | WORKS_AT | Siemens | 2016–", "ends Lena | STUDIED_AT | ETH"],
        ),
        (
            "Lena says she now works for Nokia.",
            ["Lena | SAYS | Lena works at Nokia."],
        ),
        (
            "According to Tom, Lena works for Nokia.",
            ["Tom | SAYS | Lena works at Nokia."],
        ),
        (
            '"Lena works for Nokia," Tom said.',
            ["Tom | SAYS | Lena works at Nokia."],
        ),
        (
            "Lena has lived in Rome since 2018.",
            ["Lena | LIVES_IN | Rome | 2018–"],
        ),
        (
            "Lena hasn't lived in Rome since 2018.",
            ["ends Lena | LIVES_IN | Rome | –2018"],
        ),
        (
            "The novel Dune, written by Frank Herbert, was published by Chilton Books in 1965.",
            ["Dune | PUBLISHED_BY | Chilton Books | 1965–", "Dune | WRITTEN_BY | Frank Herbert"],
        ),
        (
            "Git was created by Linus Torvalds in 2005.",
            ["Git | CREATED_BY | Linus Torvalds | 2005–"],
        ),
        (
            "I met Tom Kranz in 2012 at a conference in Oslo.",
            ["Mia Berg | MET | Tom Kranz | 2012–"],
        ),
        (
            "Tom and Eva met in Oslo in 2010.",
            ["Tom | MET | Eva | 2010–"],
        ),
        (
            "We moved to Graz in 2015.",
            ["Mia Berg | LIVES_IN | Graz | 2015–"],
        ),
        (
            "We flew to Lisbon in May 2024.",
            ["Mia Berg | TRAVELLED_TO | Lisbon | 2024-05–"],
        ),
        (
            "Eva speaks French and Italian.",
            ["Eva | SPEAKS | French", "Eva | SPEAKS | Italian"],
        ),
        (
            "Eva, who founded Acme with Tom in 2003, now lives in Oslo.",
            ["Eva | FOUNDED | Acme | 2003–", "Eva | LIVES_IN | Oslo"],
        ),
        (
            "Acme was founded in 1999.",
            ["Acme | STARTED_ON | 1999"],
        ),
        (
            "Kurt died in Graz in 2001.",
            ["Kurt | DIED_IN | Graz | 2001–", "Kurt | DIED_ON | 2001"],
        ),
        (
            "Tom is no longer married to Eva.",
            ["ends Tom | MARRIED_TO | Eva"],
        ),
        (
            "Eva divorced Tom in 2020.",
            ["ends Eva | MARRIED_TO | Tom | –2020"],
        ),
        (
            "Eva broke up with Tom last March.",
            ["ends Eva | PARTNER_OF | Tom | –2025-03"],
        ),
        (
            "John Wilkes Booth assassinated Abraham Lincoln in 1865.",
            ["John Wilkes Booth | KILLED | Abraham Lincoln | 1865–"],
        ),
        (
            "I've switched from Evernote to Obsidian.",
            ["Mia Berg | USES | Obsidian", "ends Mia Berg | USES | Evernote"],
        ),
        (
            "I moved to Berlin in March 2021 and have been working at Zalando since April 2021.",
            ["Mia Berg | LIVES_IN | Berlin | 2021-03–", "Mia Berg | WORKS_AT | Zalando | 2021-04–"],
        ),
        (
            "I was born in Lyon on 3 May 1985.",
            ["Mia Berg | BORN_IN | Lyon | 1985-05-03–", "Mia Berg | BORN_ON | 1985-05-03"],
        ),
        (
            "Last week Nora told me that she had quit Lufthansa.",
            ["Nora | SAYS | Nora works at Lufthansa no longer."],
        ),
        (
            "Nora's husband Jonas Feld teaches maths at Goethe Gymnasium.",
            ["Jonas Feld | MARRIED_TO | Nora", "Jonas Feld | WORKS_AT | Goethe Gymnasium"],
        ),
        (
            "Our neighbour Jonas Feld was hired by Bayer in April 2024.",
            ["Jonas Feld | WORKS_AT | Bayer | 2024-04–"],
        ),
        (
            "Petra Novak, born in Brno in 1979, studied law at Charles University.",
            ["Petra Novak | BORN_IN | Brno | 1979–", "Petra Novak | BORN_ON | 1979"],
        ),
        (
            "Jonas has been dating Petra since June 2023.",
            ["Jonas | PARTNER_OF | Petra | 2023-06–"],
        ),
        (
            "Jonas got divorced from Nora in 2021.",
            ["ends Jonas | MARRIED_TO | Nora | –2021"],
        ),
        (
            "My grandfather Otto Berg was born in Riga in 1921 and died in Kiel in 1999.",
            ["Otto Berg | BORN_IN | Riga | 1921–", "Otto Berg | BORN_ON | 1921", "Otto Berg | DIED_ON | 1999"],
        ),
        (
            "Leo owns the Blue Door Bakery.",
            ["Blue Door Bakery | OWNED_BY | Leo"],
        ),
        (
            "The Blue Door Bakery belongs to Leo Chen.",
            ["Blue Door Bakery | OWNED_BY | Leo Chen"],
        ),
        (
            "Initech, a subsidiary of Globex, has its headquarters in Austin.",
            ["Initech | LOCATED_IN | Austin", "Initech | OWNED_BY | Globex"],
        ),
        (
            "Initech was bought by Globex in March 2022 for 3 million.",
            ["Initech | OWNED_BY | Globex | 2022-03–"],
        ),
        (
            "Globex acquired Initech in March 2022.",
            ["Initech | OWNED_BY | Globex | 2022-03–"],
        ),
        (
            "Hanna Lund and Piet Mak founded Tidewater in 2011; Hanna left the company in 2016.",
            ["Hanna Lund | FOUNDED | Tidewater | 2011–", "Piet Mak | FOUNDED | Tidewater | 2011–"],
        ),
        (
            "Tidewater, which Hanna Lund co-founded in 2011, went bankrupt in 2020.",
            ["Hanna Lund | FOUNDED | Tidewater | 2011–"],
        ),
        (
            "Sven is no longer a member of the Pirate Party.",
            ["ends Sven | MEMBER_OF | Pirate Party"],
        ),
        (
            "Sven left the Pirate Party in 2012.",
            ["ends Sven | MEMBER_OF | Pirate Party | –2012"],
        ),
        (
            "Lotta plays cello in the Malmö Symphony Orchestra.",
            ["Lotta | MEMBER_OF | Malmö Symphony Orchestra"],
        ),
        (
            "Lotta won the Polar Music Prize in 2021.",
            ["Lotta | AWARDED | Polar Music Prize | 2021–"],
        ),
        (
            "Lotta attended FOSDEM in Brussels in February 2023.",
            ["Lotta | ATTENDED | FOSDEM | 2023-02–"],
        ),
        (
            "I attended PyCon in Florence in May 2022 with Sven.",
            ["Mia Berg | ATTENDED | PyCon | 2022-05–"],
        ),
        (
            "I went to Japan in April 2019.",
            ["Mia Berg | TRAVELLED_TO | Japan | 2019-04–"],
        ),
        (
            "Siena is in Tuscany.",
            ["Siena | LOCATED_IN | Tuscany"],
        ),
        (
            "Montalcino, a village in Tuscany, is famous for its wine.",
            ["Montalcino | LOCATED_IN | Tuscany"],
        ),
        (
            "Emacs was written by Richard Stallman.",
            ["Emacs | WRITTEN_BY | Richard Stallman"],
        ),
        (
            "I just finished reading Circe by Madeline Miller.",
            ["Circe | WRITTEN_BY | Madeline Miller"],
        ),
        (
            "Madeline Miller wrote Circe in 2018.",
            ["Circe | WRITTEN_BY | Madeline Miller | 2018–"],
        ),
        (
            "Circe is a novel by Madeline Miller.",
            ["Circe | WRITTEN_BY | Madeline Miller"],
        ),
        (
            "Logseq was created by Tienson Qin.",
            ["Logseq | CREATED_BY | Tienson Qin"],
        ),
        (
            "I use Obsidian for notes and Zotero for papers.",
            ["Mia Berg | USES | Obsidian"],
        ),
        (
            "We migrated from Jira to Linear in 2023.",
            ["Mia Berg | USES | Linear | 2023–", "ends Mia Berg | USES | Jira | –2023"],
        ),
        (
            "I switched to Linux in 2015.",
            ["Mia Berg | USES | Linux | 2015–"],
        ),
        (
            "I no longer use Notion.",
            ["ends Mia Berg | USES | Notion"],
        ),
        (
            "I stopped using Notion in March 2024.",
            ["ends Mia Berg | USES | Notion | –2024-03"],
        ),
        (
            "I speak German and a little Finnish.",
            ["Mia Berg | SPEAKS | German"],
        ),
        (
            "I live in Kiel with my wife Lea.",
            ["Lea | MARRIED_TO | Mia Berg", "Mia Berg | LIVES_IN | Kiel"],
        ),
        (
            "I've been married to Lea since 2012.",
            ["Mia Berg | MARRIED_TO | Lea | 2012–"],
        ),
        (
            "I used to work for Siemens.",
            ["ends Mia Berg | WORKS_AT | Siemens"],
        ),
        (
            "I worked at Siemens from 2008 until 2014.",
            ["Mia Berg | WORKS_AT | Siemens | 2008–2014"],
        ),
        (
            "Until 2014 I worked at Siemens.",
            ["Mia Berg | WORKS_AT | Siemens | –2014"],
        ),
        (
            "In 2014 I quit Siemens and founded Lumen with Tom Kranz.",
            ["Mia Berg | FOUNDED | Lumen | 2014–", "ends Mia Berg | WORKS_AT | Siemens | –2014"],
        ),
        (
            "I'm the founder of Lumen.",
            ["Mia Berg | FOUNDED | Lumen"],
        ),
        (
            "I have known Tom since 1998.",
            ["Mia Berg | KNOWS | Tom | 1998–"],
        ),
        (
            "My ex-wife Rita moved to Ulm.",
            ["ends Rita | MARRIED_TO | Mia Berg"],
        ),
        (
            "Rita retired from Siemens in 2020.",
            ["ends Rita | WORKS_AT | Siemens | –2020"],
        ),
        (
            "Rita mentors Lea.",
            ["Rita | MENTOR_OF | Lea"],
        ),
        (
            "Ana Berg lives in Cambridge, Massachusetts.",
            ["Ana Berg | LIVES_IN | Cambridge, Massachusetts", "Cambridge | LOCATED_IN | Massachusetts"],
        ),
        (
            "Ana Berg lives in Cambridge, Massachusetts, and works at MIT.",
            [
                "Ana Berg | LIVES_IN | Cambridge, Massachusetts",
                "Ana Berg | WORKS_AT | MIT",
                "Cambridge | LOCATED_IN | Massachusetts",
            ],
        ),
        ("Ana Berg founded Acme Ltd in the late 1990s.", ["Ana Berg | FOUNDED | Acme Ltd"]),
        (
            "Ana was born in Graz, Austria.",
            ["Ana | BORN_IN | Graz, Austria", "Graz | LOCATED_IN | Austria"],
        ),
        (
            "Ana lives in Graz, Bo in Linz.",
            ["Ana | LIVES_IN | Graz"],
        ),
        (
            "Ana Berg lives in Oslo, Rome and Paris.",
            ["Ana Berg | LIVES_IN | Oslo", "Ana Berg | LIVES_IN | Paris", "Ana Berg | LIVES_IN | Rome"],
        ),
        (
            "I'm reading Piranesi by Susanna Clarke.",
            ["Piranesi | WRITTEN_BY | Susanna Clarke"],
        ),
        (
            "Ana, who might join Acme, lives in Bonn.",
            ["Ana | LIVES_IN | Bonn"],
        ),
        (
            "Ana has not worked at Acme since 2020.",
            ["ends Ana | WORKS_AT | Acme | –2020"],
        ),
        (
            "Although Bo lives in Rome, he works at Acme.",
            ["Bo | LIVES_IN | Rome", "Bo | WORKS_AT | Acme"],
        ),
        (
            "Met Zoe Fu at the station.",
            ["Mia Berg | MET | Zoe Fu"],
        ),
        (
            "Flew to Lisbon in May 2024 with Tom Kranz.",
            ["Mia Berg | TRAVELLED_TO | Lisbon | 2024-05–"],
        ),
        (
            "Ana Berg has worked at Siemens for six years.",
            ["Ana Berg | WORKS_AT | Siemens | 2020–"],
        ),
        (
            "The Low Tide festival began on 3 June 2023.",
            ["Low Tide | STARTED_ON | 2023-06-03"],
        ),
        (
            "Low Water was written by Ida Brun and published by Harbour Press.",
            ["Low Water | PUBLISHED_BY | Harbour Press", "Low Water | WRITTEN_BY | Ida Brun"],
        ),
        (
            "Kurt Feld was awarded the Nansen Medal in 2011.",
            ["Kurt Feld | AWARDED | Nansen Medal | 2011–"],
        ),
        (
            "Eva Lind took part in the Bergen Marathon.",
            ["Eva Lind | ATTENDED | Bergen Marathon"],
        ),
        (
            "I bought a table from Norvik Interiors, a small company based in Oslo.",
            ["Norvik Interiors | LOCATED_IN | Oslo"],
        ),
    ],
)
def test_verbs_and_participles(said, text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "My sister Ana works at Acme.",
            ["Ana | SIBLING_OF | Mia Berg", "Ana | WORKS_AT | Acme"],
        ),
        (
            "Mira, head of cellar at Château Sud, joined in 2019.",
            ["Mira | ROLE | head of cellar", "Mira | WORKS_AT | Château Sud"],
        ),
        (
            "The CEO of Acme, Bo Li, lives in Bonn.",
            ["Bo Li | LIVES_IN | Bonn", "Bo Li | ROLE | CEO", "Bo Li | WORKS_AT | Acme"],
        ),
        (
            "Acme CEO Bo Li founded Beta in 1999.",
            ["Bo Li | FOUNDED | Beta | 1999–", "Bo Li | ROLE | CEO", "Bo Li | WORKS_AT | Acme"],
        ),
        (
            "Bo is the former CEO of Acme.",
            ["ends Bo | ROLE | CEO", "ends Bo | WORKS_AT | Acme"],
        ),
        (
            "Ana is Bo's sister.",
            ["Ana | SIBLING_OF | Bo"],
        ),
        (
            "Bo took over Apollo from Ana.",
            ["Apollo | LED_BY | Bo", "ends Apollo | LED_BY | Ana"],
        ),
        (
            "Ana reports to Bo.",
            ["Ana | REPORTS_TO | Bo"],
        ),
        (
            "Ana and Bo are siblings.",
            ["Ana | SIBLING_OF | Bo"],
        ),
        (
            "Ana has two brothers, Bo and Cy.",
            ["Bo | SIBLING_OF | Ana", "Cy | SIBLING_OF | Ana"],
        ),
        (
            "Ana's mother Eva was born in Graz.",
            ["Eva | BORN_IN | Graz", "Eva | PARENT_OF | Ana"],
        ),
        (
            "Tom is a professor of physics at the University of Vienna.",
            ["Tom | ROLE | professor of physics", "Tom | WORKS_AT | University of Vienna"],
        ),
        (
            "Bo Li, the head of design at Acme, is married to Eva Lind.",
            ["Bo Li | MARRIED_TO | Eva Lind", "Bo Li | ROLE | head of design", "Bo Li | WORKS_AT | Acme"],
        ),
        (
            "Tom Kranz and Eva Lind got married in 2015 and have a daughter, Ida.",
            ["Eva Lind | PARENT_OF | Ida", "Tom Kranz | MARRIED_TO | Eva Lind | 2015–", "Tom Kranz | PARENT_OF | Ida"],
        ),
        (
            "My boss Tom Kranz left Siemens in June 2025.",
            [
                "Mia Berg | REPORTS_TO | Tom Kranz",
                "ends Tom Kranz | WORKS_AT | Siemens | –2025-06",
                "yields Tom Kranz | MEMBER_OF | Siemens | –2025-06",
                "yields Tom Kranz | PLAYS_FOR | Siemens | –2025-06",
            ],
        ),
        (
            "I report to Tom Kranz.",
            ["Mia Berg | REPORTS_TO | Tom Kranz"],
        ),
        (
            "My brother-in-law Tom works as a nurse at Charité.",
            ["Tom | ROLE | nurse", "Tom | WORKS_AT | Charité"],
        ),
        (
            "My parents, Ida and Kurt, live in Graz.",
            [
                "Ida | LIVES_IN | Graz",
                "Ida | PARENT_OF | Mia Berg",
                "Kurt | LIVES_IN | Graz",
                "Kurt | PARENT_OF | Mia Berg",
            ],
        ),
        (
            "Eva is a friend of Tom's.",
            ["Eva | FRIEND_OF | Tom"],
        ),
        (
            "Eva and Tom are good friends.",
            ["Eva | FRIEND_OF | Tom"],
        ),
        (
            "Eva Lind, 34, is a teacher in Oslo.",
            ["Eva Lind | ROLE | teacher"],
        ),
        (
            "Nora Feld runs marathons and works for Lufthansa as a pilot.",
            ["Nora Feld | ROLE | pilot", "Nora Feld | WORKS_AT | Lufthansa"],
        ),
        (
            "Jonas, whose sister Petra lives in Prague, plays chess.",
            ["Petra | SIBLING_OF | Jonas"],
        ),
        (
            "Petra and Jonas are cousins.",
            ["Petra | RELATIVE_OF | Jonas"],
        ),
        (
            "Jonas is a cousin of Petra.",
            ["Jonas | RELATIVE_OF | Petra"],
        ),
        (
            "Otto, my grandfather, emigrated to Canada in 1951.",
            ["Otto | LIVES_IN | Canada | 1951–", "Otto | RELATIVE_OF | Mia Berg"],
        ),
        (
            "Maya Chen, the new CTO of Initech, gave a talk at EuroPython.",
            ["Maya Chen | ROLE | CTO", "Maya Chen | WORKS_AT | Initech"],
        ),
        (
            "Maya used to be an engineer at Google before she moved to Zurich in 2019.",
            ["ends Maya | ROLE | engineer", "ends Maya | WORKS_AT | Google"],
        ),
        (
            "Maya and her brother Leo own a bakery in Basel.",
            ["Leo | SIBLING_OF | Maya"],
        ),
        (
            "Piet became head of research at Tidewater in 2014.",
            ["Piet | ROLE | head of research | 2014–", "Piet | WORKS_AT | Tidewater | 2014–"],
        ),
        (
            "Piet was appointed director of the Rijksmuseum in 2020.",
            ["Piet | ROLE | director | 2020–", "Piet | WORKS_AT | Rijksmuseum | 2020–"],
        ),
        (
            "Piet Mak succeeded Hanna Lund as CEO of Tidewater in 2016.",
            [
                "Piet Mak | ROLE | CEO | 2016–",
                "Tidewater | LED_BY | Piet Mak | 2016–",
                "ends Tidewater | LED_BY | Hanna Lund | –2016",
            ],
        ),
        (
            "Tidewater is led by Piet Mak.",
            ["Tidewater | LED_BY | Piet Mak"],
        ),
        (
            "Apollo is maintained by Sven Ek.",
            ["Apollo | LED_BY | Sven Ek"],
        ),
        (
            "Sven Ek has maintained Apollo since 2019.",
            ["Apollo | LED_BY | Sven Ek | 2019–"],
        ),
        (
            "Sven reports to Maya Chen.",
            ["Sven | REPORTS_TO | Maya Chen"],
        ),
        (
            "Maya Chen is Sven's manager.",
            ["Sven | REPORTS_TO | Maya Chen"],
        ),
        (
            "My daughter Ida was born on 4 May 2015.",
            ["Ida | BORN_ON | 2015-05-04", "Mia Berg | PARENT_OF | Ida"],
        ),
        (
            "My son Emil attends Waldorf School.",
            ["Emil | STUDIED_AT | Waldorf School", "Mia Berg | PARENT_OF | Emil"],
        ),
        (
            "I work as a nurse at Charité.",
            ["Mia Berg | ROLE | nurse", "Mia Berg | WORKS_AT | Charité"],
        ),
        (
            "Tom is my best friend.",
            ["Tom | FRIEND_OF | Mia Berg"],
        ),
        (
            "Tom Kranz is an old friend of mine.",
            ["Tom Kranz | FRIEND_OF | Mia Berg"],
        ),
        (
            "My friend Tom lives in Leipzig.",
            ["Tom | FRIEND_OF | Mia Berg", "Tom | LIVES_IN | Leipzig"],
        ),
        (
            "My former boss Rita Wolf now works at Bosch.",
            ["Rita Wolf | WORKS_AT | Bosch", "ends Mia Berg | REPORTS_TO | Rita Wolf"],
        ),
        (
            "Rita, who was my boss at Siemens until 2014, retired in 2020.",
            ["Mia Berg | REPORTS_TO | Rita | –2014"],
        ),
        (
            "My cousin Kaja works at Equinor in Stavanger.",
            ["Kaja | RELATIVE_OF | Mia Berg", "Kaja | WORKS_AT | Equinor"],
        ),
        (
            "Rui took over as head of sales at Nordlys Energi in May 2024.",
            ["Rui | ROLE | head of sales | 2024-05–", "Rui | WORKS_AT | Nordlys Energi | 2024-05–"],
        ),
    ],
)
def test_roles_and_kin(said, text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I prefer tea over coffee.",
            ["Mia Berg | PREFERS | tea", "yields Mia Berg | PREFERS | coffee"],
        ),
        (
            "I don't eat meat anymore.",
            ["yields Mia Berg | LIKES | meat", "yields Mia Berg | PREFERS | meat"],
        ),
        (
            "I stopped drinking coffee in 2021.",
            ["yields Mia Berg | LIKES | coffee | –2021", "yields Mia Berg | PREFERS | coffee | –2021"],
        ),
        (
            "My favourite editor is Vim.",
            ["Mia Berg | FAVOURITE_EDITOR | Vim"],
        ),
        (
            "I love black coffee and sourdough bread.",
            [
                "Mia Berg | LIKES | black coffee",
                "Mia Berg | LIKES | sourdough bread",
                "yields Mia Berg | DISLIKES | black coffee",
                "yields Mia Berg | DISLIKES | sourdough bread",
            ],
        ),
        (
            "I don't like cilantro.",
            ["Mia Berg | DISLIKES | cilantro", "yields Mia Berg | LIKES | cilantro"],
        ),
        (
            "I used to like olives.",
            ["ends Mia Berg | LIKES | olives"],
        ),
        (
            "I prefer working in the morning.",
            ["Mia Berg | PREFERS | working in the morning"],
        ),
        (
            "I'm allergic to peanuts.",
            ["Mia Berg | DISLIKES | peanuts", "yields Mia Berg | LIKES | peanuts"],
        ),
        (
            "Blade Runner, directed by Ridley Scott, is my favourite film.",
            ["Blade Runner | DIRECTED_BY | Ridley Scott", "Mia Berg | FAVOURITE_FILM | Blade Runner"],
        ),
        (
            "I gave up coffee.",
            ["yields Mia Berg | LIKES | coffee"],
        ),
        (
            "I prefer window seats.",
            ["Mia Berg | PREFERS | window seats"],
        ),
        (
            "I prefer cycling to driving.",
            ["Mia Berg | PREFERS | cycling"],
        ),
        (
            "I enjoy jazz and long walks.",
            [
                "Mia Berg | LIKES | jazz",
                "Mia Berg | LIKES | long walks",
                "yields Mia Berg | DISLIKES | jazz",
                "yields Mia Berg | DISLIKES | long walks",
            ],
        ),
        (
            "I can't stand coriander.",
            ["Mia Berg | DISLIKES | coriander", "yields Mia Berg | LIKES | coriander"],
        ),
        (
            "I can't stand here.",
            [],
        ),
        (
            "I switched from tea to coffee.",
            ["Mia Berg | PREFERS | coffee", "yields Mia Berg | PREFERS | tea"],
        ),
        (
            "I prefer Fedora as a desktop.",
            ["Mia Berg | FAVOURITE_DESKTOP | Fedora"],
        ),
        (
            "I hate coriander.",
            ["Mia Berg | DISLIKES | coriander", "yields Mia Berg | LIKES | coriander"],
        ),
        (
            "I really love the sea.",
            ["Mia Berg | LIKES | sea", "yields Mia Berg | DISLIKES | sea"],
        ),
        (
            "Eva loves opera.",
            ["Eva | LIKES | opera", "yields Eva | DISLIKES | opera"],
        ),
        (
            "Tom doesn't like jazz.",
            ["Tom | DISLIKES | jazz", "yields Tom | LIKES | jazz"],
        ),
        (
            "Tom no longer likes jazz.",
            ["ends Tom | LIKES | jazz"],
        ),
        (
            "Tom prefers tea to coffee.",
            ["Tom | PREFERS | tea", "yields Tom | PREFERS | coffee"],
        ),
        (
            "My favourite tea is Darjeeling.",
            ["Mia Berg | FAVOURITE_TEA | Darjeeling"],
        ),
        (
            "Darjeeling is my favourite tea.",
            ["Mia Berg | FAVOURITE_TEA | Darjeeling"],
        ),
    ],
)
def test_likings(said, text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ana wants to work at Acme.",
        "If Ana joins Acme, we will move to Bonn.",
        "Ana might have joined Acme in 2020.",
        "Does Ana work at Acme?",
        "Ana never worked at Acme.",
        "Ana will join Acme in May 2027.",
        "Tom hopes that Lena joins Nokia.",
        "Lena was supposed to join Nokia.",
        "Our cat Muffin sleeps all day.",
        "Piet is on parental leave until May.",
        "I'd like to visit Peru.",
        "I would prefer tea.",
        "Had Ana joined Acme, she would be rich.",
        "Ana should join Acme.",
        "Let's move to Lisbon.",
        "Move to Lisbon!",
        "Ana refused to join Acme.",
        "Ana failed to join Acme.",
        "Ana dreams of living in Paris.",
        "Ana was asked to join Acme.",
        "Ana almost joined Acme in 2019.",
        "Nobody works at Acme.",
        "No one from Acme lives in Bonn.",
        "Ana or Bo works at Acme.",
        "Ana works at Acme or Initech.",
        "Neither Ana nor Bo works at Acme.",
        "Whoever founded Acme was a genius.",
        "People who live in Bonn pay more.",
        "A tenant lives in a flat.",
        "In the film, Ana works at Acme.",
        "In my dream I worked at Google.",
        "The protagonist, Ana, lives in Bonn.",
        "Bo claims that Ana works at Acme.",
        "Rumour has it that Ana left Acme.",
        "Ana is said to live in Bonn.",
        "Ana seems to work at Acme.",
        "Ana is going to join Acme in May.",
        "Ana is joining Acme in May.",
        "Ana joins Acme next month.",
        "Ana plans to move to Bonn in 2027.",
        "I wish I lived in Lisbon.",
        "Imagine Ana lived in Bonn.",
        "I was offered a job at Acme.",
        "I applied for a job at Acme.",
        "I had an interview at Acme.",
        "Ana's friend works at Acme.",
        "Ana's visit to Acme went well.",
        "The Acme office in Bonn is closed.",
        "Ana called Acme about the invoice.",
        "I emailed Bo about the meeting at Siemens.",
        "Ana is the best.",
        "Paris is lovely in spring.",
        "Call Ana about moving to Rome.",
        "TODO: ask Bo whether he joined Acme.",
        "Ask Bo where Ana lives.",
        '"Ana works at Acme."',
        "> Ana works at Acme.",
        "Acme hires people in Bonn.",
        "Acme, Initech and Globex are in talks.",
        "The book tells how Ana met Bo.",
        "Ana left the house at nine.",
        "Ana left Bonn on Friday.",
        "Ana left for Bonn.",
        "Ana joined us for dinner.",
        "Ana joined Bo for lunch.",
        "Ana is at Acme today.",
        "Ana went to Acme for a meeting.",
        "Bo went home.",
        "I like it.",
        "I like that.",
        "I love you.",
        "I don't know Ana.",
        "I don't use Notion.",
        "I've never been to Peru.",
        "Is Ana married to Bo?",
        "Who founded Acme?",
        "Ana hasn't met Bo.",
        "If you live in Bonn, call Ana.",
        "When Ana joins Acme, Bo will leave.",
        "Since Ana joined Acme, sales are up.",
    ],
)
def test_nothing_is_claimed(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "As soon as Ole Frei works at Miele, he will rest.",
        "Once Emil lives in Wels, he will be happy.",
        "Whenever Ole Frei works at Miele, he is happy.",
        "Until Ole Frei works at Miele, he will rest.",
        "Write down that Max Hall owns Vela Foods.",
        "Ensure Max Hall works at Vela Foods.",
        "Ask whether Max Hall lives in Wels.",
    ],
)
def test_conditions_and_orders_are_no_claims(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ana told me that Bruno had quit Helio Labs, but it turned out to be false.",
        "Ana told me that Bruno works at Helio Labs. That was a lie.",
        "Lea lives in Halle, or so she claims.",
        "Ana Berg owns a house in Trieste.",
        "I bought a flat in Trieste in 2019.",
    ],
)
def test_what_is_taken_back_or_only_owned_is_no_claim(said, text):
    assert said(text) == []


def test_who_is_left_out_by_not_is_claimed_nothing_of(said):
    assert said("Lea Stahl and not Ole Frei works at Kuka.") == ["Lea Stahl | WORKS_AT | Kuka"]
    assert said("Ole Frei works at Kuka and not Miele.") == ["Ole Frei | WORKS_AT | Kuka"]


def test_only_what_is_said_before_is_taken_back(said):
    assert said("Lea lives in Halle. Her coffee was wrong.") == ["Lea | LIVES_IN | Halle"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "In 1959 Acme assigned Paul Baran, a young engineer at that time, to it.",
            ["ends Paul Baran | ROLE | young engineer"],
        ),
        ("Official Intro to React", []),
        ("Excerpted from Scientific Freedom, originally written by Ana Berg in Disputations.", []),
        ("Other interns (Chloe, Ben) joined us.", []),
        ("I read The Anthropocene Reviewed by John Green.", []),
    ],
)
def test_titles_qualities_and_past_roles(said, text, expected):
    assert said(text) == expected


def test_a_note_named_by_a_common_noun_is_not_meant_inside_another(said):
    text = "Enquire was an early networked thought tool developed by Ana Berg."
    assert not [each for each in said(text, names=["Networked Thought"]) if "Networked" in each]
