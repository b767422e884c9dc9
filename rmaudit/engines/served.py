"""What the servers behind an endpoint serve, read from `/models` before any work starts.

Imports openai: import this module only inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import openai
from pydantic import BaseModel, ValidationError

from rmaudit.engines.endpoints import Endpoint, refused_key, served_as
from rmaudit.errors import InputError

_SECONDS = 10.0
_SHOWN = 20


class ServedModel(BaseModel):
    """One entry of the list; vLLM tells more than the id."""

    id: str
    owned_by: str | None = None
    root: str | None = None
    max_model_len: int | None = None


class _List(BaseModel):
    data: list[ServedModel]


@dataclass(frozen=True, slots=True)
class Served:
    """One server at the start. card: the model's entry, None where the server lists nothing.

    down: why it did not answer, '' where it did.
    """

    endpoint: Endpoint
    card: ServedModel | None = None
    down: str = ""


def read_served(
    model: str, endpoints: Sequence[Endpoint], *, key: str, key_env: str
) -> tuple[Served, ...]:
    """Asks every server for its list; one that is down may come later, if another is there.

    Raises:
        InputError: none answers, one does not serve the model or refuses the key, or a URL leads
            to something else.
    """
    found = tuple(_ask(model, endpoint, key=key, key_env=key_env) for endpoint in endpoints)
    if all(one.down for one in found):
        places = ", ".join(f"{one.endpoint.url} ({one.down})" for one in found)
        raise InputError(f"no endpoint answers: {places}", "start the server, or mend the base URL")
    return found


def known_names(served: Sequence[Served]) -> tuple[str, ...]:
    """Names that the servers list and load the model under."""
    cards = [one.card for one in served if one.card is not None]
    return tuple(dict.fromkeys(name for card in cards for name in (card.id, card.root) if name))


def _ask(model: str, endpoint: Endpoint, *, key: str, key_env: str) -> Served:
    headers = {"Authorization": endpoint.authorization} if endpoint.authorization else {}
    with openai.OpenAI(
        base_url=endpoint.url, api_key=key, default_headers=headers, timeout=_SECONDS, max_retries=1
    ) as client:
        try:
            answer = client.models.with_raw_response.list().http_response.content
        except openai.AuthenticationError as error:
            raise refused_key([endpoint], error.status_code, key_env) from None
        except openai.APIStatusError as error:
            if error.status_code >= 500 or error.status_code == 429:
                return Served(endpoint, down=f"status {error.status_code}")
            # A key may be good for completions and not for this list; some servers have no list.
            if error.status_code == 404 and not urlsplit(endpoint.url).path:
                raise InputError(
                    f"{endpoint.url}/models is not there", f"try {endpoint.url}/v1"
                ) from None
            return Served(endpoint)
        except openai.APIConnectionError as error:
            return Served(endpoint, down=type(error.__cause__ or error).__name__)
    try:
        cards = _List.model_validate_json(answer).data
    except ValidationError:
        raise InputError(
            f"{endpoint.url}/models is no list of models",
            "give the base URL of an OpenAI-compatible server; it usually ends in /v1",
        ) from None
    name = served_as(model, [card.id for card in cards])
    if name is None:
        ids = [card.id for card in cards]
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        raise InputError(
            f"{endpoint.url} does not serve '{model}'",
            f"it serves: {', '.join(ids[:_SHOWN])}{more}" if ids else "it serves no model",
        )
    return Served(endpoint, next((card for card in cards if card.id == name), ServedModel(id=name)))
