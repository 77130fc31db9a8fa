import { describe, expect, it } from 'vitest'
import { checkTime } from '../../../src/announcement/sending/speed.ts'

const fifty = { letters: 50, ms: 1000 }
const here = { toSend: 100, rate: fifty, mailer: { connections: 5 } }
const away = (ms: number) => [{ code: 'mail-server', verdict: 'fine', ms }] as const

describe('how fast messages will leave', () => {
  it('is what was asked for where nothing is far away', () => {
    expect(checkTime(away(20), here)).toMatchObject({ perSecond: 50, limit: 'rate', seconds: 2 })
    expect(checkTime(away(0), here)).toMatchObject({ perSecond: 50, limit: 'rate' })
  })

  it('is less where the mail server is far away: each message asks it four times', () => {
    expect(checkTime(away(250), here)).toMatchObject({
      perSecond: 5,
      limit: 'mail server',
      seconds: 20,
    })
    // It keeps up with what was asked for.
    const five = { letters: 5, ms: 1000 }
    expect(checkTime(away(250), { ...here, rate: five })).toMatchObject({
      perSecond: 5,
      limit: 'rate',
    })
  })
})
