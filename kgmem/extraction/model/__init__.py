"""The fourth rung: what a language model reads in passages that the others leave open, each word of it checked.

A model is asked about passages (`prompt`), its reply is read however it is dressed (`replies`), and what it told is
held against the text (`checking`, `passage`): of a claim that the passage does not bear out nothing is left.
"""
