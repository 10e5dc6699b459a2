import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { temporaryDirectory, testDirectory } from '../support/service.ts'

test('the certificate is issued for localhost and signed by the authority', async () => {
  const { caFile, cert } = await localhostCertificate(testDirectory())
  const authority = new X509Certificate(readFileSync(caFile))
  const certificate = new X509Certificate(cert)
  expect([authority.ca, certificate.ca]).toEqual([true, false])
  expect(certificate.verify(authority.publicKey)).toBe(true)
  expect(certificate.checkIssued(authority)).toBe(true)
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
})

test('keeps the certificate authority in a directory, with a key that only the owner can read', async () => {
  using directory = temporaryDirectory()
  const first = await localhostCertificate(directory.path)
  const pem = readFileSync(first.caFile, 'utf8')
  const second = await localhostCertificate(directory.path)
  expect(readFileSync(second.caFile, 'utf8')).toBe(pem)
  expect(statSync(`${directory.path}/ca-key.pem`).mode & 0o777).toBe(0o600)
})

test('replaces a damaged certificate authority', async () => {
  using directory = temporaryDirectory()
  const { caFile } = await localhostCertificate(directory.path)
  writeFileSync(caFile, 'not a certificate')
  const { cert } = await localhostCertificate(directory.path)
  const authority = new X509Certificate(readFileSync(caFile))
  expect(new X509Certificate(cert).verify(authority.publicKey)).toBe(true)
})
