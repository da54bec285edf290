"""The four bricks and what runs them; a brick imports without its siblings."""
