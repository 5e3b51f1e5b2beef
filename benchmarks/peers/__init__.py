"""What others would count facts with."""
