import { expect, it } from 'vitest'
import { deviceName } from '../../../src/desk/server/device-name.ts'

const of = (rest: string) => `Mozilla/5.0 (${rest}`

it.for([
  [
    of('Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'),
    'Chrome on Android',
  ],
  [of('X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox on Linux'],
  [
    of('Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'),
    'Safari on Mac',
  ],
  [
    of('iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604'),
    'Safari on iPhone',
  ],
  [
    of('Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140.0'),
    'Edge on Windows',
  ],
  ['curl/8.0', 'A browser'],
  ['<script>alert(1)</script>', 'A browser'],
  ['', 'A browser'],
])(
  'calls a device by browser and system, and says nothing else that was sent: %s',
  ([agent, name]) => {
    expect(deviceName(agent)).toBe(name)
  },
)
