-- Arguments: milliseconds that each connection waits before a request, then a path and an entity tag
-- (may be empty) per request. Prints a line of JSON at the end.

function init(args)
  local wait = tonumber(args[1])
  if wait > 0 then
    function delay()
      return wait
    end
  end
  if #args == 1 then return end
  local requests = {}
  for i = 2, #args, 2 do
    local headers = { ["Accept-Encoding"] = "gzip", ["Host"] = wrk.headers["Host"] }
    if args[i + 1] ~= "" then headers["If-None-Match"] = args[i + 1] end
    requests[#requests + 1] = wrk.format("GET", args[i], headers)
  end
  local last = 0
  function request()
    last = last % #requests + 1
    return requests[last]
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  print(string.format(
    '\n{"answered":%d,"failed":%d,"wireBytes":%d,"perSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"p999Ms":%.3f}',
    summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    summary.bytes,
    summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    latency:percentile(99.9) / 1000
  ))
end
