import { describe, expect, it } from 'vitest'
import { checkTime } from '../../../src/announcement/sending/speed.ts'

const fifty = { letters: 50, ms: 1000 }
const here = { toSend: 100, rate: fifty, connections: 5, awayMs: 20 }

describe('how fast messages will leave', () => {
  it('is what was asked for where nothing is far away', () => {
    expect(checkTime(here)).toMatchObject({ perSecond: 50, limit: 'rate', seconds: 2 })
    expect(checkTime({ ...here, awayMs: 0 })).toMatchObject({ perSecond: 50, limit: 'rate' })
  })

  it('is less where the mail server is far away: each message asks it four times', () => {
    const away = { ...here, awayMs: 250 }
    expect(checkTime(away)).toMatchObject({ perSecond: 5, limit: 'mail server', seconds: 20 })
    // It keeps up with what was asked for.
    const five = { letters: 5, ms: 1000 }
    expect(checkTime({ ...away, rate: five })).toMatchObject({ perSecond: 5, limit: 'rate' })
  })
})
