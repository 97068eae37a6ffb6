"""Writes the parameters of papermill as Go declarations, for notebooks of the kernel Go (mkl)."""
import json
import re

from papermill.models import Parameter
from papermill.engines import NBClientEngine as Engine  # noqa: F401, the engine of the entry point
from papermill.translators import Translator, papermill_translators


PARAMETER = re.compile(r"^\s*(?:var\s+)?(\w+)(?:\s+([\w.\[\]]+))?\s*:?=\s*(.*?)\s*(?://\s*(.*))?$")


class GoTranslator(Translator):
    @classmethod
    def inspect(cls, parameters_cell):
        found = filter(None, map(PARAMETER.match, parameters_cell["source"].splitlines()))
        return [Parameter(m[1], m[2] or "None", m[3], m[4] or "") for m in found]

    @classmethod
    def translate_escaped_str(cls, val):
        return json.dumps(str(val), ensure_ascii=False)  # Go's escapes include those of JSON but \/, which dumps omits

    @classmethod
    def translate_float(cls, val):
        text = repr(val)
        return {"nan": "math.NaN()", "inf": "math.Inf(1)", "-inf": "math.Inf(-1)"}.get(text, text)

    @classmethod
    def translate_none(cls, val):
        raise ValueError("mkl: a parameter is null, which has no type in Go: leave it out, or give a value")

    @classmethod
    def type_of(cls, values):
        """Returns the Go type of the elements of a list or of the values of a dict."""
        types = {type(v) for v in values}
        if types == {int, float}:
            return "float64"
        return {bool: "bool", int: "int", float: "float64", str: "string"}.get(types.pop(), "any") if len(types) == 1 else "any"

    @classmethod
    def translate_list(cls, val):
        return f"[]{cls.type_of(val)}{{{', '.join(map(cls.translate, val))}}}"

    @classmethod
    def translate_dict(cls, val):
        items = (f"{cls.translate_str(k)}: {cls.translate(v)}" for k, v in val.items())
        return f"map[string]{cls.type_of(val.values())}{{{', '.join(items)}}}"

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def assign(cls, name, str_val):
        return f"var {name} = {str_val}"


for name in ("mkl", "go"):
    papermill_translators.register(name, GoTranslator)
