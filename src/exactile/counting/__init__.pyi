from exactile.counting.verbs import count as count
