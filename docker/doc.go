// Package docker has no Go API. Its folder holds the container image in which a reader runs the notebooks, on Binder or
// on a machine with Docker, and its Go files test the image.
//
//	docker build -t mkl -f docker/Dockerfile .
//	docker run --rm -p 8888:8888 mkl    starts JupyterLab; the log contains its address
//
//	Dockerfile          JupyterLab, the kernel and the notebooks, for use without a network; .binder/Dockerfile, which
//	                    Binder reads, is equal
//	start, healthcheck  the entry point of the image; whether its server answers
//	warm                compiles, during the build, the packages that cells import
//	pin                 writes the digests of the base images into both Dockerfiles
//	jupyter_server_config.json, overrides.json, notebook.txt   settings of Jupyter; the server that Binder starts
//	offline             builds and runs the image without Docker and without a container registry: see its README.md
//
// The test of the files runs with go test ./docker. With MKL_IMAGE=1 and -timeout 60m it also builds the image and runs
// it without a network.
package docker
