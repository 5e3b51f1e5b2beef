"""Prompts as the batch format that the common chat services take: a request on each line."""

import json
from typing import Any

from jobs.judging.prompts import JudgePrompt, PromptTemplate

_URL = "/v1/chat/completions"


def request_body(prompt: JudgePrompt, *, model: str) -> dict[str, Any]:
    """Return what a chat-completions server is sent: the prompt, at temperature 0."""
    messages = [{"role": "user", "content": prompt.text}]
    return {"model": model, "temperature": 0, "messages": messages}


def batch_line(prompt: JudgePrompt, template: PromptTemplate, *, model: str) -> str:
    """Return the line of a batch that asks one prompt.

    Its ``custom_id`` is the fact's digest, the question and the prompt's digest, by which
    :func:`evaluator.judges.judgements.read_judgements` knows the answer again.
    """
    request = {
        "custom_id": f"{prompt.id}-{template.question}-{template.digest}",
        "method": "POST",
        "url": _URL,
        "body": request_body(prompt, model=model),
    }
    return json.dumps(request, ensure_ascii=False) + "\n"
