import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import product from '../../src/product/product.ts'
import { buildProject, copyProject } from '../../tests/fixtures/project-copy.ts'
import { figure, ratio } from '../figures.ts'
import { inTurns } from '../in-turns.ts'
import { startOurServer } from '../our-server.ts'
import { start, workFolder } from '../processes.ts'
import type { Findings } from '../report.ts'
import { ourVisitors } from './our-visitors.ts'
import { rateOf } from './rate-of.ts'

/** They cost little, and a difference as small as this one needs many. */
const MORE_ROUNDS = 2

/**
 * Sign-ups a second of a server that asks for confirmation and sends letters meanwhile, and of one
 * that does neither, taking turns. Both run the same build. The one that is not measured stands
 * still: it would go on sending.
 */
export async function measureConfirmation(rounds: number): Promise<Findings> {
  const mail = await start(
    process.execPath,
    [join(import.meta.dirname, '../announcements/mail-server.ts')],
    { ready: / is open at (\S+)/ },
  )
  const root = join(workFolder, 'built-to-confirm')
  mkdirSync(root)
  copyProject(root, product)
  const { status, stderr } = buildProject(root, { CONFIRM: 'on' })
  if (status !== 0) throw new Error(stderr)

  const off = { PUBLIC_URL: 'http://127.0.0.1' }
  const SMTP_URL = mail.ready[1] as string
  const on = { ...off, CONFIRM: 'on', SMTP_URL, MAIL_FROM: 'hello@example.com' }
  const servers = {
    off: await startOurServer('unconfirmed', { root, env: off }),
    on: await startOurServer('confirmed', { root, env: on }),
  }
  const visitors = {
    off: ourVisitors(servers.off.url),
    on: ourVisitors(servers.on.url),
  }
  const rates = await inTurns(rounds * MORE_ROUNDS, {
    off: () => rateOf(servers.off, visitors.off.signUp),
    on: () => rateOf(servers.on, visitors.on.signUp),
  })
  await Promise.all([servers.off.stop(), servers.on.stop(), mail.stop()])
  return {
    rows: [
      { what: 'sign-up alone, CONFIRM=on', figure: figure(rates.on), unit: '/s' },
      { what: 'the same, CONFIRM=off', figure: figure(rates.off), unit: '/s' },
      {
        what: 'sign-up, CONFIRM=on over off',
        figure: ratio(rates.on, rates.off),
        unit: '×',
        budget: { must: 0.8, aim: 0.9, better: 'more' },
      },
    ],
  }
}
