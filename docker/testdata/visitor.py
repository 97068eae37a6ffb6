"""visitor.py: tests two needs of a visitor's own notebook: completion of a name that an earlier cell imported, and pip
install (here from a file). Prints one line of JSON."""
import json, os, subprocess, sys, tempfile, time, zipfile

from jupyter_client.manager import start_new_kernel

facts = {"user": os.environ.get("USER", "")}
manager, client = start_new_kernel(kernel_name="mkl")
try:
    client.execute_interactive('import nb "github.com/mklnb/mkl/mklnb"\n%%\nnb.Show(nb.Load("sonar"))', timeout=120)
    code = "%%\nnb.LoadM"
    deadline = time.monotonic() + 90  # gopls first loads the packages
    facts["matches"] = []
    while not facts["matches"] and time.monotonic() < deadline:
        time.sleep(1)
        facts["matches"] = client.complete(code, len(code), reply=True, timeout=60)["content"]["matches"]
finally:
    manager.shutdown_kernel()

with tempfile.TemporaryDirectory() as folder:
    wheel = os.path.join(folder, "visitors-1.0-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w") as z:
        z.writestr("visitors.py", "word = 'here'\n")
        z.writestr("visitors-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: visitors\nVersion: 1.0\n")
        z.writestr("visitors-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: this\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr("visitors-1.0.dist-info/RECORD", "visitors.py,,\nvisitors-1.0.dist-info/METADATA,,\nvisitors-1.0.dist-info/WHEEL,,\nvisitors-1.0.dist-info/RECORD,,\n")
    facts["pip"] = subprocess.run(["pip", "install", "--quiet", "--no-index", wheel], capture_output=True, text=True).stderr
facts["installed"] = subprocess.run([sys.executable, "-c", "import visitors; print(visitors.word)"], capture_output=True, text=True).stdout.strip()
print("\nfacts " + json.dumps(facts))  # the last line of a cell may lack its end of line
