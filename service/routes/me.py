"""My tables: where I sit, and where it is my turn."""

from flask import Response

from service import answers
from service.http import Call
from service.listings import my_page
from service.operation import Returns, Routes
from service.schemas import MyTablesQuery

ROUTES = Routes("me", "One's own tables.")


@ROUTES(
    "GET", "/v1/me/tables", auth="required", scope="read", query=MyTablesQuery(),
    answers={200: Returns("A page of my tables, newest first.", answers.MyTables, ("Link",))},
)  # fmt: skip
def list_my_tables(call: Call) -> Response:
    """List the tables that I sit at, or those that wait for me.

    `waiting` counts all that wait for me, whatever the page: it may stand on an app's badge.
    """
    page = my_page(call)
    return call.reply(page.body, 200, *call.next_page(page.next))
