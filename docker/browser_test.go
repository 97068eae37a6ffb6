//go:build unix

package docker

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/algos/testenv"
)

// openInBrowser starts the image as docker run -p does, opens JupyterLab in a browser on the first
// page that it gives, runs all cells, and waits for a chart that is drawn by its script. The
// time to that is told: it is what somebody waits who tries the image.
func openInBrowser(t *testing.T, notebook string) {
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		testenv.Lacks(t, "no browser is on PATH: apt-get install chromium")
	}
	port := freePort(t)
	const token = "of-this-test"
	start := time.Now()
	server := exec.Command("bash", "offline/run-in-image", "--network-host", "--timeout", "600", "--env", "MKL_SIZE=small", imageName,
		"jupyter", "lab", "--ip=127.0.0.1", fmt.Sprintf("--port=%d", port), "--ServerApp.port_retries=0", "--IdentityProvider.token="+token)
	var log strings.Builder
	server.Stdout, server.Stderr = &log, &log
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.WaitDelay = 10 * time.Second
	try(server.Start())
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		// Asked to shut down, the server ends the container, and the script removes it.
		request := must(http.NewRequest(http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/api/shutdown", port), nil))
		request.Header.Set("Authorization", "token "+token)
		if reply, err := http.DefaultClient.Do(request); err != nil {
			t.Errorf("shut the server down: %v", err)
		} else {
			reply.Body.Close()
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the container does not end")
			syscall.Kill(-server.Process.Pid, syscall.SIGKILL)
			<-ended
		}
		if t.Failed() {
			t.Logf("server:\n%s", log.String())
		}
	})

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.WindowSize(1400, 1000))
	allocator, end := chromedp.NewExecAllocator(t.Context(), options...)
	defer end()
	quiet := func(string, ...any) {} // events newer than the client are no fault
	tab, end := chromedp.NewContext(allocator, chromedp.WithErrorf(quiet))
	defer end()
	limited, end := context.WithTimeout(tab, 4*time.Minute)
	defer end()

	// Nobody listens at first.
	address := fmt.Sprintf("http://127.0.0.1:%d/?token=%s", port, token)
	screenshot := func(name string) {
		var png []byte
		if err := chromedp.Run(limited, chromedp.CaptureScreenshot(&png)); err != nil {
			t.Errorf("screenshot: %v", err)
		} else if dir := artefacts(); dir != "" {
			keep(t, filepath.Join(dir, name), png)
		}
	}
	until := func(what, js string) {
		t.Helper()
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
			var ok bool
			if err := chromedp.Run(limited, chromedp.Evaluate("!!("+js+")", &ok)); err == nil && ok {
				return
			} else if time.Now().After(deadline) {
				screenshot("image-failure.png")
				t.Fatalf("waited in vain until %s (%v)", what, err)
			}
		}
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if err := chromedp.Run(limited, chromedp.Navigate(address)); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("no page: %v", err)
		}
	}
	until("the notebook is open", fmt.Sprintf(`document.querySelectorAll(".jp-Notebook .jp-CodeCell").length > 0 &&
		[...document.querySelectorAll(".lm-TabBar-tabLabel")].some(e => e.innerText.trim() === %q)`, notebook))
	until("it has its kernel", `/Go/.test(document.querySelector(".jp-KernelName").innerText) && !document.querySelector("#jupyterlab-splash") &&
		document.querySelector('.jp-Notebook-ExecutionIndicator[data-status="idle"], .jp-Notebook-ExecutionIndicator[data-status="unknown"]')`)
	t.Logf("the notebook is open after %.1f s", time.Since(start).Seconds())
	try(chromedp.Run(limited, page.BringToFront()))
	// press waits for an element that is seen, and presses the mouse on its middle.
	press := func(what, element string) {
		t.Helper()
		place := `(() => {
			const e = ` + element + `;
			if (!e) return null;
			const r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2, top = document.elementFromPoint(x, y);
			return r.width > 0 && top && (e.contains(top) || top.contains(e)) ? {X: x, Y: y} : null;
		})()`
		until("there is "+what, place)
		var at struct{ X, Y float64 }
		if err := chromedp.Run(limited, chromedp.Evaluate(place, &at)); err != nil {
			t.Fatalf("find %s: %v", what, err)
		}
		move := chromedp.ActionFunc(func(ctx context.Context) error { // a menu asks which entry the mouse is over
			return input.DispatchMouseEvent(input.MouseMoved, at.X, at.Y).Do(ctx)
		})
		if err := chromedp.Run(limited, move, chromedp.MouseClickXY(at.X, at.Y)); err != nil {
			t.Fatalf("press %s: %v", what, err)
		}
	}
	press("the menu Run", `[...document.querySelectorAll(".lm-MenuBar-itemLabel")].find(e => e.innerText.trim() === "Run")`)
	press("the entry Run All Cells", `[...document.querySelectorAll(".lm-Menu-itemLabel")].find(e => e.innerText.trim() === "Run All Cells")`)
	until("a chart is live", `[...document.querySelectorAll('.mkl-chart[data-live="1"]')].some(c => c.querySelector("svg, canvas"))`)
	t.Logf("from the start of the container to a live chart: %.1f s", time.Since(start).Seconds())
	screenshot("image.png")
}
