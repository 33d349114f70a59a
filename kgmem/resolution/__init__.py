"""Who is who: names, candidates and decisions. Pure, given what is known."""
