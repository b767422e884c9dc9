#!/usr/bin/env bash
# Audits a reward model on one node: a copy on each GPU behind one server, then a scan of its endpoint.
#   node.sh MODEL [SET] [OUT]        GPUS=8 PORT=8000 SHARD=1/4 by the environment
set -euo pipefail
model=${1:?node.sh MODEL [SET] [OUT]}
items=${2:-starter}
out=${3:-runs/node}
gpus=${GPUS:-8}
port=${PORT:-8000}
log=$(mktemp)

vllm serve "$model" --served-model-name rm --runner pooling --data-parallel-size "$gpus" \
    --host 127.0.0.1 --port "$port" >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT

# Weights of a large model take minutes; a server that ends before it answers has said why.
until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/health"; do
    if ! kill -0 "$server" 2>/dev/null; then
        tail -n 30 "$log" >&2
        exit 1
    fi
    sleep 1
done

words=(--set "$items" --out "$out" --concurrency $((32 * gpus)) --yes)
if [ -n "${SHARD:-}" ]; then words+=(--shard "$SHARD"); fi
if [ -d "$out" ]; then words+=(--resume); fi
rmaudit scan "classify:rm@http://127.0.0.1:$port" "${words[@]}"
