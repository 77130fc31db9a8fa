import { describe, expect, it } from 'vitest'
import { parseWebhookSecrets, webhookHeaders } from '../../src/keys/webhook-signature.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const [id, body] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}']
const at = new Date(1_614_265_330_000)
const secrets = (text: string) => parseWebhookSecrets(text) ?? []

describe('the signature of a message', () => {
  it('is that of the libraries of Standard Webhooks', () => {
    expect(webhookHeaders(secrets(secret), id, at, body)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('is of id, time and every byte', () => {
    const signed = (...[i, t, b]: [string, Date, string]) =>
      webhookHeaders(secrets(secret), i, t, b)['webhook-signature']
    const all = [
      signed(id, at, body),
      signed(`${id}x`, at, body),
      signed(id, new Date(at.getTime() + 1000), body),
      signed(id, at, `${body} `),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('is by both secrets while one takes the place of the other', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const both = webhookHeaders(secrets(`${secret} ${other}`), id, at, body)['webhook-signature']
    const each = [secret, other].map(
      (one) => webhookHeaders(secrets(one), id, at, body)['webhook-signature'],
    )
    expect(both).toBe(each.join(' '))
  })
})

it.for([
  'whsec_',
  'whsec_c2hvcnQ=',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  `whsec_${'A'.repeat(100)}`,
  'whsec_not base64 at all',
  `${secret} whsec_c2hvcnQ=`,
])('%s is no secret', (text) => {
  expect(parseWebhookSecrets(text)).toBeUndefined()
})
