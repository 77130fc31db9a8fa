/** What our own looks at the page call themselves: no visit is counted for them. */
export const OUR_AGENT = 'Mozilla/5.0 (compatible; opening-bell-bot)'
