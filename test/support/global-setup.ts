import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { fontsFile } from '../../src/pictures/image-library.ts'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { programIsMissing } from './programs.ts'
import { startRedis } from './redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string | undefined
    /** Directory of the certificate authority that sandboxes share. */
    certificateDirectory: string
  }
}

/** Prepares the test run. Vitest calls this function once, before all tests. */
export async function setup(project: TestProject) {
  // Fonts are configured when a process first draws text.
  process.env['FONTCONFIG_FILE'] = fontsFile
  const redis = programIsMissing('redis-server') ? undefined : await startRedis()
  project.provide('redisUrl', redis?.url)
  const certificates = mkdtempSync(join(tmpdir(), 'feedhouse-test-'))
  await localhostCertificate(certificates)
  project.provide('certificateDirectory', certificates)
  return async () => {
    rmSync(certificates, { recursive: true })
    await redis?.[Symbol.asyncDispose]()
  }
}
