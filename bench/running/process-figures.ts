import { readdirSync, readFileSync } from 'node:fs'

/** Exits unless this is Linux, where `/proc` has CPU times in nanoseconds. */
export function requireLinux(): void {
  if (process.platform === 'linux') return
  process.stderr.write(
    'This benchmark only runs on Linux, because it reads CPU time and memory from /proc.\n',
  )
  process.exit(1)
}

/** Returns the CPU time of a process and its children, in microseconds. */
export function cpuUs(pid: number): number {
  return totalOf(pid, (each) =>
    tasksOf(each).reduce((sum, task) => {
      const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1000
    }, 0),
  )
}

/** Returns the resident memory of a process and its children. */
export function residentMib(pid: number): number {
  return totalOf(pid, (each) => {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${each}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  })
}

function totalOf(pid: number, figureOf: (pid: number) => number): number {
  const children = tasksOf(pid).flatMap((task) =>
    readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.reduce((sum, child) => sum + totalOf(Number(child), figureOf), figureOf(pid))
}

function tasksOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
}
