import json, sys

try:
    import ensurepip, venv
    can = True
except ImportError:
    can = False

# One name==version ; marker a line; continuation lines carry hashes.
lines = [line.split(" \\")[0].strip() for line in sys.stdin if "==" in line and not line.startswith((" ", "#"))]
lacks = lines
try:
    try:
        from packaging.requirements import Requirement
    except ImportError:
        from pip._vendor.packaging.requirements import Requirement
    from importlib.metadata import version, PackageNotFoundError

    lacks = []
    for line in lines:
        want = Requirement(line)
        if want.marker is not None and not want.marker.evaluate():
            continue
        try:
            if version(want.name) not in want.specifier:
                lacks.append(line)
        except PackageNotFoundError:
            lacks.append(line)
except ImportError:
    pass

json.dump({"executable": sys.executable, "version": list(sys.version_info[:3]), "venv": can, "lacks": lacks}, sys.stdout)
