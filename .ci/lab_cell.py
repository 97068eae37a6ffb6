"""lab_cell.py SERVER.json: starts the kernel Go (mkl) of a running JupyterLab, runs one cell in it, prints its output, and
shuts the kernel down. Ends with an error if the cell fails or shows no chart."""
import json, os, sys, time, urllib.request

from jupyter_client import BlockingKernelClient

with open(sys.argv[1]) as f:
    server = json.load(f)


def call(method, path, body=None):
    """Returns the server's reply to a request."""
    request = urllib.request.Request(server["url"] + "api/" + path, method=method, data=body and json.dumps(body).encode(),
                                     headers={"Authorization": "token " + server["token"]})
    with urllib.request.urlopen(request, timeout=120) as reply:
        return json.loads(reply.read() or "null")


def main():
    while True:  # the server's file exists a moment before the server answers
        try:
            call("GET", "status")
            break
        except OSError:
            time.sleep(0.2)
    kernel = call("POST", "kernels", {"name": "mkl"})["id"]
    path = os.path.join(os.environ["JUPYTER_RUNTIME_DIR"], f"kernel-{kernel}.json")
    client = BlockingKernelClient(connection_file=path)
    client.load_connection_file()
    client.start_channels()
    client.wait_for_ready(timeout=120)
    outputs = []
    cell = 'import nb "github.com/mklnb/mkl/mklnb"\n%%\nnb.Show(nb.Learn(nb.Load("sonar")))'
    reply = client.execute_interactive(cell, timeout=600, output_hook=outputs.append)
    client.stop_channels()
    call("DELETE", "kernels/" + kernel)
    pages = [o["content"]["data"].get("text/html", "") for o in outputs if "data" in o["content"]]
    if reply["content"]["status"] != "ok" or not any("data:image/svg+xml" in p or "<svg" in p for p in pages):
        sys.exit(json.dumps([reply["content"], [o["content"] for o in outputs]], indent=1)[:4000])


main()
