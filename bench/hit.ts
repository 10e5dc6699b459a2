/*
 * Measures the processor time of a response from the cache: for the whole front with in-memory
 * sockets, and for a plain `node:http` server that sends the same heads and bytes. Both run in this process and
 * take turns, so the kernel and other load hardly matter. The figures are microseconds per
 * response, at the lower decile of the rounds.
 *
 *   npm run bench -- hit [--rounds 60]
 */
import { parseArgs } from 'node:util'
import { openConnection } from './hit/memory-socket.ts'
import { etag, path, rawServer, startFront } from './hit/servers.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'

const warmUpRounds = 10
const responsesPerRound = 2_000
const decile = 0.1

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } })
const rounds = Math.max(10, Number.parseInt(values.rounds, 10) || 10)

await using resources = new AsyncDisposableStack()
const askFront = openConnection(await startFront(temporaryDirectory(), resources))
const askRaw = openConnection(rawServer())

const head = [
  `GET ${path} HTTP/1.1`,
  'Host: localhost',
  'User-Agent: bench',
  'Accept-Encoding: gzip, deflate, br',
]
const requests = { '304': [...head, `If-None-Match: ${etag}`], gzip: head }

const lowDecile = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length * decile)] ?? NaN

process.stdout.write(`${machineText(thisMachine({}))}\n`)
for (const [kind, lines] of Object.entries(requests)) {
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  const measured = new Map([askFront, askRaw].map((ask) => [ask, [] as number[]]))
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [ask, figures] of round % 2 === 0 ? measured : [...measured].toReversed()) {
      const figure = await ask(request, responsesPerRound)
      if (round >= 0) figures.push(figure)
    }
  }
  const [front = NaN, raw = NaN] = [...measured.values()].map(lowDecile)
  const figures = Object.entries({ front, raw, difference: front - raw })
  const texts = figures.map(([name, figure]) => `${name} ${figure.toFixed(2)} us`)
  process.stdout.write(`${kind.padEnd(6)}${texts.join(', ')}\n`)
}
