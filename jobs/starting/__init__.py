"""A first run configuration from files: what each is, and what the configuration then says.

``recognition``    what a file or folder is taken for, and why
``configuration``  the configuration that comes of it
"""
