import { parse } from 'node:querystring'

/** More than any form has that posts to us. The rest is not read, since thousands take long. */
const MOST_FIELDS = 50

/** How the bodies of forms are read. */
export const formFields = {
  parser: (body: string) => parse(body, '&', '=', { maxKeys: MOST_FIELDS }),
}
