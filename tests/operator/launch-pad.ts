import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { addressIds } from '../../src/shared/address-id.ts'
import { paths } from '../../src/shared/api.ts'
import { startDns } from '../announcement/dns.ts'
import { openApp } from '../app-fixture.ts'
import { people } from '../contracts/people.ts'
import { type Behaviour, type RelayOptions, startRelay } from '../mail/relay.ts'
import { ended, limitedTo, run } from '../run.ts'
import { tempDir } from '../temp-dir.ts'
import { type Home, homeOnFile } from './home.ts'

const operator = join(import.meta.dirname, '../../src/operator/main.ts')

const records = {
  'example.org': ['v=spf1 include:relay.example -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
  'k1._domainkey.example.org': ['v=DKIM1; k=rsa; p=MIGf'],
}

const letter = `---
subject: We are live
from: The team <team@example.org>
---
# Come in
`

export interface LaunchOptions {
  readonly behaviour?: (address: string) => Behaviour
  readonly relay?: RelayOptions
  readonly records?: Readonly<Record<string, string[]>>
  /** Where the subscribers live; else in a file. */
  readonly home?: Home
  /** Where the server is that serves them; else there is one in this process. */
  readonly url?: string
}

/** Everything that an operator has on the day: a serving server, a mail server, a DNS, a letter. */
export async function launchPad(count: number, options: LaunchOptions = {}) {
  const home = options.home ?? homeOnFile()
  const { dataDir, store, linkKey } = home
  for (let i = 0; i < count; i += 500) await store.importAll(people(count).slice(i, i + 500))

  const { app } = await openApp({ store, suppressions: store, linkKey })
  const url = options.url ?? (await app.listen({ port: 0, host: '127.0.0.1' }))
  const relay = await startRelay(options.behaviour, options.relay)
  const dns = await startDns(options.records ?? records)
  const launch = join(tempDir(), 'launch.md')
  writeFileSync(launch, letter)
  onTestFinished(async () => {
    await relay.close()
    await store.close()
  })

  const env = {
    ...home.env,
    SMTP_URL: relay.url,
    MAIL_FROM: '',
    UNSUBSCRIBE_URL: url + paths.unsubscribe,
    PUBLIC_URL: '',
    NO_COLOR: '1',
  }

  const announce = ['announce', launch, '--rate', '1000', '--dns-server', dns.server]

  /** Starts the operator's tool as a process of its own. @param blocks see `limitedTo`. */
  function start(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    blocks = 'unlimited',
  ) {
    const command = limitedTo(blocks, [process.execPath, operator, ...args])
    return run(process.cwd(), command, { ...env, ...more })
  }

  const startAnnounce = (args: readonly string[] = [], blocks?: string) =>
    start([...announce, ...args], {}, blocks)

  return {
    ...{ dataDir, store, ids: addressIds(linkKey), app, url, relay, dns, launch, start },
    /** Runs the operator's tool to its end. */
    run: (args: readonly string[], more?: Readonly<Record<string, string>>) =>
      ended(start(args, more)),
    /** Starts `announce launch.md` with what every run on this pad needs. */
    startAnnounce,
    announce: (...args: string[]) => ended(startAnnounce(args)),
    /** Whom the mail server said yes for, each time it did. */
    inboxes: () => relay.accepted.map(({ to }) => to),
  }
}
