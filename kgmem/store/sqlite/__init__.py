"""The embedded store: one SQLite file, through apsw, which brings a current SQLite.

`store` is the way in. `connection` opens files, `schema` holds tables and migrations, `write_*` and `read_*` one
family of rows each, `writes` puts a change set together from them, `packing` turns model values into columns. `dump`
and `load` are the way out and in again; `views` is for those who ask in SQL.
"""
