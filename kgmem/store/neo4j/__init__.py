"""The store on a Neo4j server, 5.26 or newer, through the official driver.

`store` is the way in. `connection` talks to the server and tells its errors apart, `schema` holds constraints, indexes
and migrations, `keys` says how things are named, `words` how texts are searched. A change set is compared with what is
kept of it (`held`) by pure functions (`write_*`), whose rows go to the server in few statements (`writes`); `read_*`
answer questions, one family of rows each.
"""
