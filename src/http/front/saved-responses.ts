import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import type { SentResponse, ToFront } from './protocol.ts'
import type { SavedResponse } from './published-responses.ts'
import { receivedResponse, sentResponse } from './sent-responses.ts'

/** Files of other formats are ignored. Changes with the types of saved objects. */
const format = 2

const maxBytes = 64 * 1024 * 1024

/** Length of the number before each part of the file, which is the length of the part. */
const prefixLength = 4

type SavedPart = Omit<SavedResponse, 'response'> & { readonly response: SentResponse }

type ListenRequest = Extract<ToFront, { kind: 'listen' }>

/** What a front needs to serve public responses before its makers have started. */
export type SavedFront = {
  /** Hash of the settings that the request names. */
  readonly settings: string
  readonly request: ListenRequest
  readonly responses: readonly SavedResponse[]
}

/**
 * Writes the file, without responses beyond the size limit. Serializes one response at a time, because
 * each blocks other requests. Rejects if the file cannot be written.
 */
export async function saveResponses(
  file: string,
  { responses, ...header }: SavedFront,
): Promise<void> {
  const temporary = `${file}.new`
  try {
    await using handle = await open(temporary, 'w', 0o600)
    let size = 0
    for (const part of [{ ...header, format }, ...responses.values().map(plainData)]) {
      const bytes = serialize(part)
      const prefix = Buffer.alloc(prefixLength)
      prefix.writeUInt32LE(bytes.length)
      size += prefixLength + bytes.length
      if (size > maxBytes) break
      await handle.writev([prefix, bytes])
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Reads the file and deletes it, because a response may stop being public at any time. Returns undefined
 * if the file is missing or damaged, or if the settings have changed since.
 * `fingerprintOf` returns the hash of the named settings.
 */
export function loadResponses(
  file: string,
  fingerprintOf: (settingNames: readonly string[]) => string,
): SavedFront | undefined {
  try {
    const bytes = readFileSync(file)
    rmSync(file)
    const [header, ...responses] = partsOf(bytes)
    const { format: written, ...saved } = header as SavedFront & { readonly format: number }
    if (written !== format) return undefined
    if (saved.settings !== fingerprintOf(saved.request.settingNames)) return undefined
    return { ...saved, responses: (responses as readonly SavedPart[]).flatMap(restored) }
  } catch {
    return undefined
  }
}

/** Returns a hash of the settings for the process and of the text of the sites file. */
export function settingsHash(fingerprint: string, sitesText = ''): string {
  return createHash('sha256')
    .update(JSON.stringify([fingerprint, sitesText]))
    .digest('base64url')
}

function plainData({ response, ...rest }: SavedResponse): SavedPart {
  return { ...rest, response: sentResponse(response) }
}

function restored({ response: sent, ...rest }: SavedPart): readonly SavedResponse[] {
  const response = receivedResponse(sent, undefined)
  return response ? [{ ...rest, response }] : []
}

function partsOf(bytes: Buffer): readonly unknown[] {
  const parts: unknown[] = []
  for (let start = 0; start < bytes.length;) {
    const from = start + prefixLength
    const end = from + bytes.readUInt32LE(start)
    if (end > bytes.length) throw new RangeError('the file is incomplete')
    parts.push(deserialize(bytes.subarray(from, end)))
    start = end
  }
  return parts
}
