import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBidi } from './bidi.ts'
import { startWithUs } from './start-with-us.ts'
import { asText, strokes, type Tab, type TabSettings } from './tab.ts'

/** Keeps it from calling home. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,nothing',
}

/** Starts a Firefox with a profile of its own and drives it over WebDriver BiDi, which it speaks itself. */
export async function startFirefox(
  path: string,
  { script, motion, cookies }: TabSettings,
): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'opening-bell-firefox-'))
  const preferences = {
    ...PREFERENCES,
    'javascript.enabled': script,
    'ui.prefersReducedMotion': motion ? 0 : 1,
    'network.cookie.cookieBehavior': cookies ? 5 : 2,
  }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join(''))

  const options = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile]
  const browser = startWithUs(path, options)
  const close = async () => {
    browser.signalGroup('SIGKILL')
    await browser.ended
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    const [, url] = await browser.printed(/WebDriver BiDi listening on (ws:\S+)/)
    return { ...(await openTab(`${url}/session`)), close }
  } catch (cause) {
    await close()
    throw new Error(`${path} could not be driven`, { cause })
  }
}

async function openTab(url: string): Promise<Omit<Tab, 'close'>> {
  const complaints: string[] = []
  const { send } = await openBidi(url, ({ level, text }) => {
    if (level === 'warn' || level === 'error') complaints.push(text)
  })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  // In the window that it opens by itself the address bar may have the focus, and no key would press
  // a button of the page.
  let { context } = await send('browsingContext.create', { type: 'tab' })
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } })
  const perform = (actions: unknown) => send('input.performActions', { context, actions })

  return {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'none' })
    },
    async evaluate(look, ...args) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: asText(look, args),
        awaitPromise: false,
        target: { context },
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result.value)
    },
    press: (key) => perform(strokes({ key })),
    type: (text) => perform(strokes({ text })),
    async follow() {
      const { contexts } = await send('browsingContext.getTree', { maxDepth: 0 })
      context = contexts.at(-1).context
    },
    async screenshot() {
      const { data } = await send('browsingContext.captureScreenshot', { context })
      return Buffer.from(data, 'base64')
    },
    complaints: () => complaints,
  }
}
