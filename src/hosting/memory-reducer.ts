import { Script } from 'node:vm'

const intervalMs = 30_000

const allocate = () => new Script('')

/**
 * Lets V8 return unused memory to the system when little is allocated. In Node 24, V8 does not see
 * that as long as nothing is allocated in its heap of C++ objects, where a `Script` is
 * (`--trace-memory-reducer` in Node 24.21 says "high alloc" until then).
 */
export function letMemoryShrink(): void {
  allocate()
  setInterval(allocate, intervalMs).unref()
}
