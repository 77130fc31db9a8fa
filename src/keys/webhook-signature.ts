import { createHmac } from 'node:crypto'

const LEAST_BYTES = 24
const MOST_BYTES = 64

/**
 * Reads the secrets with which messages are signed, each as Standard Webhooks writes it.
 *
 * @returns `undefined` where one of them is none.
 */
export function parseWebhookSecrets(setting: string): readonly Buffer[] | undefined {
  const secrets = setting.split(/\s+/).map((text) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
    return Buffer.from(base64, 'base64')
  })
  const isWhole = secrets.every(({ length }) => length >= LEAST_BYTES && length <= MOST_BYTES)
  return isWhole ? secrets : undefined
}

/**
 * The headers of a message by Standard Webhooks 1.0: https://www.standardwebhooks.com.
 *
 * @param id without a full stop. @param at of this attempt. @param body the very bytes that are sent.
 */
export function webhookHeaders(
  secrets: readonly Buffer[],
  id: string,
  at: Date,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
