"""Judges from outside: facts of a finished run as prompts, and models that are asked with them.

===============  ===================================================================================
``prompts``      what a judge is asked about a fact: templates, and their digest
``run_prompts``  the facts of a run in words, with their sentences and snippets, as prompts
``batches``      prompts as the batch format of chat services
``chat_server``  one server that speaks the chat-completions protocol: asked, paced, asked again
``answer_file``  the file of answers: what is in it is not asked for again
``asking``       many facts asked about at once, within limits
===============  ===================================================================================

What the answers say is read by :mod:`evaluator.judges`.
"""
