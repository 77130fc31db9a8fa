import { expect, type Page, type Route } from '@playwright/test'
import {
  FAILED,
  holdBack,
  INVALID,
  NO_DATABASE,
  openConnectedPage,
  SUBSCRIBE,
  signUp,
  THANK_YOU,
} from './page.ts'

const ADDRESS = 'a.visitor.with.a.long.name@mail.department.example.com'

/** Takes the form through every state and message it has; gives the name of each when it is there. */
export async function* everyState(page: Page, url: string): AsyncGenerator<string> {
  const { button, status, submit } = signUp(page)
  await openConnectedPage(page, url)
  yield 'idle'

  await submit('nobody')
  await expect(status).toHaveText(INVALID)
  yield 'error: invalid address'

  await page.route(SUBSCRIBE, refuse(503), { times: 1 })
  await submit(ADDRESS)
  await expect(status).toHaveText(NO_DATABASE)
  yield 'error: no database'

  await page.route(SUBSCRIBE, refuse(500), { times: 1 })
  await submit(ADDRESS)
  await expect(status).toHaveText(FAILED)
  yield 'error: write failed'

  const release = await holdBack(page, SUBSCRIBE)
  await submit(ADDRESS)
  await expect(button).toHaveText('Submitting...')
  yield 'loading'

  release()
  await expect(status).toHaveText(THANK_YOU)
  yield 'success'
}

/** With a body, as both backends refuse: Firebase's library would take an empty one for no answer. */
function refuse(status: number) {
  return (route: Route) => route.fulfill({ status, json: { error: { code: status } } })
}

/** What the browser's console says of the two answers that `everyState` makes up, and our page of Google's. */
export const REFUSED = /Failed to load resource.*50[03]|^Not subscribed: 50[03]$/
