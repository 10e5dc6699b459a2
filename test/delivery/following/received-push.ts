import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Creates the keys of a browser's push subscription. */
export function createBrowserKeys() {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    p256dh: publicKey.toString('base64url'),
    auth: auth.toString('base64url'),
    /** Decrypts a message with a single record, like a browser (RFC 8291 3, RFC 8188 2). */
    decrypt(message: Buffer): Buffer {
      const [salt, senderKey] = [message.subarray(0, 16), message.subarray(21, 21 + 65)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const shared = ecdh.computeSecret(senderKey)
      const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
      const derived = (use: string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${use}\0`, length))
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derived('aes128gcm', 16),
        derived('nonce', 12),
      )
      decipher.setAuthTag(message.subarray(-16))
      const padded = Buffer.concat([decipher.update(message.subarray(86, -16)), decipher.final()])
      const end = padded.lastIndexOf(2)
      if (message.readUInt32BE(16) < message.length || message[20] !== 65 || end < 0)
        throw new Error('the record is malformed')
      return padded.subarray(0, end)
    },
  }
}
