import { expect, type Page, type Route } from '@playwright/test'
import { english, holdBack, openConnectedPage, routeFromNow, SUBSCRIBE, signUp } from './page.ts'

const ADDRESS = 'a.visitor.with.a.long.name@mail.department.example.com'

/** Takes the form through every state and message it has; gives the name of each when it is there. */
export async function* everyState(
  page: Page,
  url: string,
  words = english,
): AsyncGenerator<string> {
  const { button, status, submit } = signUp(page, words)
  await openConnectedPage(page, url)
  yield 'idle'

  await submit('nobody')
  await expect(status).toHaveText(words.invalidEmail)
  yield 'error: invalid address'

  await routeFromNow(page, SUBSCRIBE, refuse(503), { times: 1 })
  await submit(ADDRESS)
  await expect(status).toHaveText(words.databaseUnavailable)
  yield 'error: no database'

  await routeFromNow(page, SUBSCRIBE, refuse(500), { times: 1 })
  await submit(ADDRESS)
  await expect(status).toHaveText(words.failed)
  yield 'error: write failed'

  const release = await holdBack(page, SUBSCRIBE)
  await submit(ADDRESS)
  await expect(button).toHaveText(words.submitting)
  yield 'loading'

  release()
  await expect(status).toHaveText(words.subscribed)
  yield 'success'
}

/** With a body, as both backends refuse: Firebase's library would take an empty one for no answer. */
function refuse(status: number) {
  return (route: Route) => route.fulfill({ status, json: { error: { code: status } } })
}

/** What the browser's console says of the two answers that `everyState` makes up, and our page of Google's. */
export const REFUSED = /Failed to load resource.*50[03]|^Not subscribed: 50[03]$/
