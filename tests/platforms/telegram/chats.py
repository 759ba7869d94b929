"""Methods about the bot itself and its chats."""

from __future__ import annotations

import json
import re

from .errors import bad_request
from .model import Chat, Json
from .params import Params
from .shapes import full_chat_json, me_json, member_json
from .store import World

MAX_COMMANDS = 100
MAX_COMMAND_DESCRIPTION = 256

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_DEFAULT_SCOPE: Json = {"type": "default"}


async def get_me(world: World, params: Params) -> Json:
    """Return the bot's own user."""
    return me_json(world)


async def get_chat(world: World, params: Params) -> Json:
    """Return a chat the bot can see."""
    return full_chat_json(world, _entered_chat(world, params))


async def get_chat_member(world: World, params: Params) -> Json:
    """Return the standing of a user in a chat; a stranger to the chat has left it."""
    chat = _entered_chat(world, params)
    user_id = params.integer("user_id")
    if user_id <= 0:
        raise bad_request("Invalid user_id specified")
    user = world.users.get(user_id)
    if user is None:
        raise bad_request("member not found")
    return member_json(user, _status(world, chat, user_id))


async def set_my_commands(world: World, params: Params) -> bool:
    """Replace the command list of one scope and language."""
    commands = params.structure("commands", "commands")
    if not isinstance(commands, list):
        raise bad_request("Expected an Array of BotCommand")
    if len(commands) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    world.commands[_scope(params)] = [_command(each) for each in commands]
    return True


async def get_my_commands(world: World, params: Params) -> list[Json]:
    """Return the command list of exactly this scope and language."""
    return world.commands.get(_scope(params), [])


def _entered_chat(world: World, params: Params) -> Chat:
    chat_id = params.text("chat_id")
    chat = world.readable_chat(chat_id)
    return chat if chat.kind == "private" else world.writable_chat(chat_id)


def _status(world: World, chat: Chat, user_id: int) -> str:
    if user_id == world.bot.id:
        return chat.bot_status
    if user_id in chat.admins:
        return "administrator"
    return "member" if user_id in chat.members else "left"


def _scope(params: Params) -> tuple[str, str]:
    scope = params.structure("scope", "BotCommandScope") or _DEFAULT_SCOPE
    return json.dumps(scope, sort_keys=True), params.text("language_code")


def _command(raw: object) -> Json:
    if not isinstance(raw, dict):
        raise bad_request("Can't parse BotCommand: expected an Object")
    name = str(raw.get("command") or "").removeprefix("/")
    description = str(raw.get("description") or "").strip()
    if not _COMMAND.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(description) <= MAX_COMMAND_DESCRIPTION:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": name, "description": description}
