import { dataHeaders } from './security-headers.ts'

/**
 * The service worker that each request for one gets. A domain may have had an app, whose worker still
 * answers its visitors: this one takes its place, erases what it kept, ends itself, and loads the open
 * pages anew.
 */
export const endOfWorkers = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(end()))
async function end() {
  await registration.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
  for (const page of await clients.matchAll({ type: 'window' })) await page.navigate(page.url).catch(() => {})
}
`

export const endOfWorkersHeaders = {
  ...dataHeaders,
  'cache-control': 'no-store',
  'content-type': 'text/javascript; charset=utf-8',
  // Also of a worker whose scope is above its own folder.
  'service-worker-allowed': '/',
} as const
