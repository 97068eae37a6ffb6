import json, sys

try:
    import ensurepip, venv
    has_venv = True
except ImportError:
    has_venv = False

# A line of the requirements is "name==version ; marker"; indented lines contain hashes. Package packaging evaluates
# markers: Jupyter requires it and pip contains it. Without it, no required package is installed.
lines = [line.split(" \\")[0].strip() for line in sys.stdin if "==" in line and not line.startswith((" ", "#"))]
missing = lines
try:
    try:
        from packaging.requirements import Requirement
    except ImportError:
        from pip._vendor.packaging.requirements import Requirement
    from importlib.metadata import version, PackageNotFoundError

    missing = []
    for line in lines:
        required = Requirement(line)
        if required.marker is not None and not required.marker.evaluate():
            continue
        try:
            if version(required.name) not in required.specifier:
                missing.append(line)
        except PackageNotFoundError:
            missing.append(line)
except ImportError:
    pass

json.dump({"executable": sys.executable, "version": list(sys.version_info[:3]), "venv": has_venv, "missing": missing}, sys.stdout)
