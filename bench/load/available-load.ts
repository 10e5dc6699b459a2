import { autocannonLoad } from './autocannon-load.ts'
import type { Load } from './load.ts'
import { wrkLoad } from './wrk-load.ts'

/** Returns `wrk` if it is installed, because it uses less CPU time than autocannon. */
export function availableLoad(): Load {
  return wrkLoad() ?? autocannonLoad()
}
