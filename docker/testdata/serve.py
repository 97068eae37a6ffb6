"""serve.py BASE TOKEN COMMAND...: starts a Jupyter server by this command, sends it the requests of a browser and of a
container engine over the loopback, ends it, and prints the replies as one line of JSON. If TOKEN is -, the server's own
token is used."""
import glob, json, os, signal, subprocess, sys, time, urllib.error, urllib.request

base, token, command = sys.argv[1], sys.argv[2], sys.argv[3:]
runtime = os.environ["JUPYTER_RUNTIME_DIR"]
facts = {}


def health():
    return subprocess.run(["/usr/local/bin/healthcheck"]).returncode


def servers():
    return glob.glob(os.path.join(runtime, "jpserver-*.json"))


def ask(path, key="", method="GET", body=None):
    """Returns status, final address and body of a reply; status 0 if there is no reply."""
    request = urllib.request.Request(root + path, method=method, data=body and json.dumps(body).encode())
    if key:
        request.add_header("Authorization", "token " + key)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return reply.status, reply.url[len(host):].split("?")[0], reply.read()
    except urllib.error.HTTPError as err:
        return err.code, "", b""
    except OSError:
        return 0, "", b""


facts["health before"] = health()
start = time.monotonic()
server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
while not servers() and server.poll() is None and time.monotonic() - start < 90:
    time.sleep(0.05)
if not servers():
    sys.exit(f"no server after {time.monotonic() - start:.0f} s, status {server.poll()}")
with open(servers()[0], encoding="utf-8") as file:
    info = json.load(file)
host = f"http://127.0.0.1:{info['port']}"
root = host + base
token = info["token"] if token == "-" else token
while ask("api")[0] != 200 and server.poll() is None and time.monotonic() - start < 90:
    time.sleep(0.05)
facts["seconds"] = round(time.monotonic() - start, 1)
facts["health"] = health()
facts["api"] = ask("api")[0]
facts["specs without token"] = ask("api/kernelspecs")[0]
status, _, content = ask("api/kernelspecs", token)
specs = json.loads(content) if status == 200 else {}
facts["default kernel"] = specs.get("default", "")
facts["kernel"] = specs.get("kernelspecs", {}).get("mkl", {}).get("spec", {}).get("display_name", "")
facts["echarts bytes"] = len(ask("kernelspecs/mkl/echarts.min.js", token)[2])
facts["first page"] = ask("", token)[1]
facts["lab"] = ask("lab", token)[0]
facts["first notebook"] = ask("api/contents/notebooks/00_start_here.ipynb?content=0", token)[0]
status, _, content = ask("api/kernels", token, "POST", {"name": "mkl"})
facts["kernel started"] = status
facts["kernel ended"] = ask("api/kernels/" + json.loads(content)["id"], token, "DELETE")[0] if status == 201 else 0
server.send_signal(signal.SIGTERM)
try:
    server.wait(20)
    facts["ended"] = True
except subprocess.TimeoutExpired:
    facts["ended"] = False
    server.kill()
facts["health after"] = health()
print("facts " + json.dumps(facts))
