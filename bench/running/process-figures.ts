import { readdirSync, readFileSync } from 'node:fs'

/** CPU time is exact to the nanosecond only in Linux's `/proc`. */
export function requireLinux(): void {
  if (process.platform === 'linux') return
  process.stderr.write(
    'This benchmark reads CPU time and memory from /proc: it runs on Linux only.\n',
  )
  process.exit(1)
}

/** What a process and its children have had of the CPUs so far, in microseconds. */
export function cpuUs(pid: number): number {
  return sumOf(pid, (each) =>
    tasksOf(each).reduce((sum, task) => {
      const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1000
    }, 0),
  )
}

/** Resident memory of a process and its children. */
export function residentMib(pid: number): number {
  return sumOf(pid, (each) => {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${each}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  })
}

function sumOf(pid: number, figureOf: (pid: number) => number): number {
  const children = tasksOf(pid).flatMap((task) =>
    readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.reduce((sum, child) => sum + sumOf(Number(child), figureOf), figureOf(pid))
}

function tasksOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
}
