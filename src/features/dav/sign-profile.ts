import { createHash, sign, type X509Certificate } from 'node:crypto'
import type { ProfileSigner } from '../../config/profile-signer.ts'

const sha256 = '2.16.840.1.101.3.4.2.1'
const rsaEncryption = '1.2.840.113549.1.1.1'
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** Returns a profile with its signature, as CMS SignedData in DER (RFC 5652 5). */
export async function signProfile(
  profile: string,
  { certificates, key }: ProfileSigner,
  now: number,
): Promise<Buffer> {
  // Loaded only for sites with a certificate.
  const [cms, asn1, x509] = await Promise.all([
    import('@peculiar/asn1-cms'),
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ])
  const { AsnConvert, AsnObjectIdentifierConverter: oids, OctetString } = asn1
  const der = (value: object) => Buffer.from(AsnConvert.serialize(value))
  const parsed = (certificate: X509Certificate) =>
    AsnConvert.parse(certificate.raw, x509.Certificate)
  const content = Buffer.from(profile)
  const attribute = (attrType: string, value: ArrayBuffer) =>
    new cms.Attribute({ attrType, attrValues: [value] })
  const digest = new OctetString(createHash('sha256').update(content).digest())
  // DER sorts a SET by its encoding, which puts shorter attributes first.
  const signedAttrs = [
    attribute(cms.id_contentType, oids.toASN(cms.id_data).toBER()),
    attribute(cms.id_signingTime, AsnConvert.serialize(new cms.SigningTime(new Date(now)))),
    attribute(cms.id_messageDigest, AsnConvert.serialize(digest)),
  ]
  // The signature covers a SET (RFC 5652 5.4). Its length is less than 128, and thus one byte.
  const attributes = Buffer.concat(signedAttrs.map(der))
  const signature = sign(
    'sha256',
    Buffer.concat([Buffer.of(0x31, attributes.length), attributes]),
    key,
  )
  const { issuer, serialNumber } = parsed(certificates[0]).tbsCertificate
  const signerInfo = new cms.SignerInfo({
    version: cms.CMSVersion.v1,
    sid: new cms.SignerIdentifier({
      issuerAndSerialNumber: new cms.IssuerAndSerialNumber({ issuer, serialNumber }),
    }),
    digestAlgorithm: new cms.DigestAlgorithmIdentifier({ algorithm: sha256 }),
    signedAttrs,
    signatureAlgorithm: new cms.SignatureAlgorithmIdentifier(
      key.asymmetricKeyType === 'rsa'
        ? { algorithm: rsaEncryption, parameters: null }
        : { algorithm: ecdsaWithSha256 },
    ),
    signature: new OctetString(signature),
  })
  const signedData = new cms.SignedData({
    version: cms.CMSVersion.v1,
    digestAlgorithms: new cms.DigestAlgorithmIdentifiers([signerInfo.digestAlgorithm]),
    encapContentInfo: new cms.EncapsulatedContentInfo({
      eContentType: cms.id_data,
      eContent: new cms.EncapsulatedContent({ single: new OctetString(content) }),
    }),
    certificates: new cms.CertificateSet(
      certificates.map((each) => new cms.CertificateChoices({ certificate: parsed(each) })),
    ),
    signerInfos: new cms.SignerInfos([signerInfo]),
  })
  const contentInfo = { contentType: cms.id_signedData, content: AsnConvert.serialize(signedData) }
  return der(new cms.ContentInfo(contentInfo))
}
