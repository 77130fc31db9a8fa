import { join } from 'node:path'
import { paths } from '../../../../src/shared/api.ts'
import { fromOurPage } from '../../../fixtures/app.ts'
import { ended, run } from '../../../fixtures/run.ts'
import { signIn } from '../../crowd.ts'
import type { Flooded } from '../../floods/flood.ts'
import { amount } from '../../form.ts'
import type { Life } from '../life.ts'

/** More than the counts of visitors that a server remembers: from here on those do not grow. */
const MANY = amount(500, 60_000)
/** More than the people that it remembers, whose visits take a second or two. */
const PEOPLE = amount(0, 26_000)
const PEOPLE_AT_ONCE = 400
const OF_ONE = amount(150, 3000)
const CONNECTIONS = amount(200, 5000)
const SECONDS = amount(0.3, 8)
const AT_ONCE = 20

const script = join(import.meta.dirname, '../../floods/flood.ts')

async function flood(life: Life, which: string, size: number, seconds: number): Promise<Flooded> {
  const url = life.house.url(0)
  const { cookie = '' } = await signIn(url)
  const command = [process.execPath, script, which, url, String(size), String(seconds)] as const
  const { stdout } = await ended(run(process.cwd(), command, { COOKIE: cookie }))
  return JSON.parse(stdout)
}

/**
 * Sign-ups from ever another client address, all by one visitor. Each is thanked, and taken for what it
 * is sooner or later. Then as many people as come when the news is full of it.
 */
export async function floodOfMany(life: Life) {
  for (let n = 0; n < MANY; n += 1) {
    const one = life.people.person(`flood-${n}@example.com`, 'flood')
    Object.assign(one, { thanked: 'at once' })
  }
  const { statuses } = await flood(life, 'requests', MANY, 300)
  if (statuses[201] !== MANY) throw new Error(`not all were thanked: ${JSON.stringify(statuses)}`)
  await life.visitors.rush(PEOPLE, PEOPLE_AT_ONCE)
}

/** Sign-ups from one client address, most of them over its limit. */
export async function floodOfOne(life: Life) {
  const url = life.house.url(0)
  const { cookie = '' } = await signIn(url)
  const from = `203.0.${Math.floor(life.random() * 256)}.${Math.floor(life.random() * 256)}`
  const headers = { ...fromOurPage, cookie, 'x-forwarded-for': from }
  const name = `flooder-${from.replaceAll('.', '-')}`
  let left = OF_ONE
  let refused = 0
  const one = async () => {
    while (left > 0) {
      const email = `${name}-${left--}@example.com`
      const kind = life.isAsking() ? 'to confirm' : 'at once'
      const { status } = await fetch(url + paths.subscribers, {
        method: 'POST',
        body: JSON.stringify({ email, comment: 'x' }),
        headers: { ...headers, 'content-type': 'application/json' },
      })
      if (status === 201) Object.assign(life.people.person(email, 'robot'), { thanked: kind })
      else if (status === 429) refused += 1
      else life.people.broken.push(`a flood was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  if (refused === 0) throw new Error('nobody of a flood was refused')
}

const kinds = ['silent', 'slow headers', 'slow bodies', 'endless headers', 'endless bodies']

/** Many connections at once, which send nothing, slowly, or without end. */
export async function floodOfConnections(life: Life) {
  const which = kinds[Math.floor(life.random() * kinds.length)] ?? ''
  await flood(life, which, CONNECTIONS, SECONDS)
}
