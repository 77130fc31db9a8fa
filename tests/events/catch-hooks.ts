/*
 * What two automation services document of their catch hooks, as read on 26 November 2026 in copies
 * of these pages. They are not run here: these are the bodies of their documents, and what they say
 * becomes of them.
 */

type Fields = Readonly<Record<string, unknown>>

/**
 * The Webhook node, whose data is shown in "Get data from webhook body":
 * https://docs.n8n.io/code/expressions/. What follows it gets the headers, the path's parameters, the
 * query and the parsed body.
 */
export const n8n = {
  example: '{"name":"Jim","age":30,"city":"New York"}',
  given: { name: 'Jim', age: 30, city: 'New York' },
  read: (body: string) => ({
    headers: {},
    params: {},
    query: {},
    body: JSON.parse(body) as Fields,
  }),
}

/**
 * Catch Hook. The example, and that nested JSON is parsed recursively: https://zapier.com/help/webhooks/.
 * That a field of a field has both names with two underscores between them ("dictionaries within
 * dictionaries (via our __ delimiter in keys)"), and the sample of that:
 * https://zapier.com/developer/documentation/v2/trigger-sample-results/.
 */
export const zapier = {
  example: '{"first_name":"Bryan","last_name":"Helmig","age":27}',
  given: { first_name: 'Bryan', last_name: 'Helmig', age: 27 },
  nested:
    '{"subject":"Testing out this new Zap!","message":{"no_html":"Let me know it it works."}}',
  givenOfNested: {
    subject: 'Testing out this new Zap!',
    message__no_html: 'Let me know it it works.',
  },
  read: (body: string) => flat(JSON.parse(body) as Fields),
}

function flat(fields: Fields, before = ''): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value as Fields, `${before}${name}__`))
        : [[`${before}${name}`, value]],
    ),
  )
}
