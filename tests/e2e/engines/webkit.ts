import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import type { Program } from '../../../scripts/program.ts'
import { startWithUs } from './start-with-us.ts'
import { asText, strokes, type Tab, type TabSettings } from './tab.ts'
import { openSession } from './web-driver.ts'

/** Starts WebKitGTK's browser on a screen of its own, with a home of its own, and drives it over WebDriver. */
export async function startWebKit(
  { driver, browser }: { readonly driver: string; readonly browser: string },
  { script, motion }: TabSettings,
): Promise<Tab> {
  const home = mkdtempSync(join(tmpdir(), 'opening-bell-webkit-'))
  // Who wants no motion tells the desktop, and GTK hears of it here.
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(
    join(home, 'gtk-3.0/settings.ini'),
    `[Settings]\ngtk-enable-animations=${motion ? 1 : 0}\n`,
  )
  const running: Program[] = []
  const close = async () => {
    for (const program of running.toReversed()) {
      program.signalGroup('SIGKILL')
      await program.ended
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const screen = startWithUs('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24'])
    running.push(screen)
    const [display] = await screen.printed(/^\d+$/m)
    const port = await freePort()
    const service = startWithUs(driver, [`--port=${port}`], {
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      // For machines without a graphics card.
      WEBKIT_DMABUF_RENDERER_FORCE_SHM: '1',
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_DATA_HOME: home,
    })
    running.push(service)
    const tab = await openTab(`http://127.0.0.1:${port}`, browser, script)
    const complaints = () => service.output().match(/^CONSOLE .*(WARN|ERROR).*$/gm) ?? []
    return { ...tab, complaints, close }
  } catch (cause) {
    await close()
    throw new Error(`${browser} could not be driven`, { cause })
  }
}

async function openTab(
  service: string,
  binary: string,
  script: boolean,
): Promise<Omit<Tab, 'close' | 'complaints'>> {
  const args = [
    '--automation',
    `--enable-javascript=${script}`,
    '--enable-write-console-messages-to-stdout=true',
  ]
  const { post, get } = await openSession(service, {
    pageLoadStrategy: 'none',
    'webkitgtk:browserOptions': { binary, args },
  })
  await post('window/rect', { width: 1280, height: 800 })
  const perform = (actions: unknown) => post('actions', { actions })
  const known = new Set([await get('window')])
  return {
    open: (url) => post('url', { url }),
    async evaluate(look, ...args) {
      const script = `return ${asText(look, args)}`
      return JSON.parse(await post('execute/sync', { script, args: [] }))
    },
    press: (key) => perform(strokes({ key })),
    type: (text) => perform(strokes({ text })),
    async follow() {
      // They come in no order.
      const handles: string[] = await get('window/handles')
      const opened = handles.find((one) => !known.has(one))
      if (opened === undefined) return
      known.add(opened)
      await post('window', { handle: opened })
    },
    screenshot: async () => Buffer.from(await get('screenshot'), 'base64'),
  }
}
