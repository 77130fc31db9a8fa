import { mailboxProviders } from './mailbox-providers.ts'

/**
 * Domains where everybody can have a mailbox, and of which a list may have many: the large providers
 * of the larger countries. Most are in Thunderbird's ISPDB
 * (https://github.com/thunderbird/autoconfig/tree/c6ad796/ispdb), the others in its users' lists such as
 * https://www.npmjs.com/package/email-providers and https://www.npmjs.com/package/free-email-domains.
 */
const publicProviders: ReadonlySet<string> = new Set([
  ...mailboxProviders.flatMap(({ domains }) => domains),
  ...`
    aol.com fastmail.com fastmail.fm hey.com hushmail.com icloud.com mac.com mail.com me.com msn.com
    runbox.com tuta.com tuta.io tutamail.com tutanota.com tutanota.de keemail.me windowslive.com
    zoho.com zohomail.com zohomail.eu zohomail.in disroot.org riseup.net aim.com
    arcor.de email.de freenet.de kabelmail.de magenta.de mail.de mailbox.org online.de t-online.de
    vodafonemail.de web.de aon.at chello.at bluemail.ch bluewin.ch hispeed.ch sunrise.ch
    aliceadsl.fr bbox.fr club-internet.fr free.fr laposte.net neuf.fr numericable.fr orange.fr sfr.fr
    wanadoo.fr belgacom.net proximus.be skynet.be telenet.be voo.be home.nl kpnmail.nl planet.nl
    upcmail.nl xs4all.nl ziggo.nl
    alice.it email.it fastwebnet.it inwind.it iol.it libero.it poste.it tim.it tin.it tiscali.it
    virgilio.it telefonica.net terra.es clix.pt iol.pt meo.pt netcabo.pt sapo.pt
    blueyonder.co.uk btinternet.com btopenworld.com ntlworld.com plusnet.com sky.com talktalk.net
    tiscali.co.uk virgin.net virginmedia.com eircom.net
    comhem.se spray.se telia.com bredband.net mail.dk email.dk jubii.dk online.no broadpark.no
    elisanet.fi luukku.com suomi24.fi
    centrum.cz email.cz post.cz seznam.cz azet.sk centrum.sk zoznam.sk citromail.hu freemail.hu
    gazeta.pl interia.eu interia.pl o2.pl onet.eu onet.pl op.pl poczta.onet.pl tlen.pl vp.pl wp.pl
    abv.bg mail.bg inbox.lv inbox.lt mail.ee hot.ee otenet.gr forthnet.gr
    bk.ru inbox.ru internet.ru list.ru mail.ru rambler.ru i.ua meta.ua ukr.net mail.ua tut.by
    mynet.com ttmail.com walla.co.il walla.com netvision.net.il
    att.net bellsouth.net centurylink.net charter.net comcast.net cox.net earthlink.net embarqmail.com
    frontier.com frontiernet.net juno.com mindspring.com netscape.net netzero.net optimum.net
    optonline.net prodigy.net roadrunner.com rr.com sbcglobal.net verizon.net windstream.net
    bell.net rogers.com shaw.ca sympatico.ca telus.net videotron.ca
    bol.com.br globo.com globomail.com ig.com.br oi.com.br r7.com terra.com.br uol.com.br
    fibertel.com.ar speedy.com.ar prodigy.net.mx vtr.net
    126.com 139.com 163.com 189.cn 21cn.com aliyun.com foxmail.com qq.com sina.cn sina.com sohu.com
    tom.com vip.163.com vip.qq.com yeah.net hinet.net pchome.com.tw netvigator.com
    au.com biglobe.ne.jp docomo.ne.jp excite.co.jp ezweb.ne.jp goo.jp i.softbank.jp nifty.com
    ocn.ne.jp softbank.ne.jp so-net.ne.jp ybb.ne.jp ymobile.ne.jp
    daum.net hanmail.net kakao.com nate.com naver.com
    indiatimes.com rediffmail.com sify.com singnet.com.sg
    bigpond.com bigpond.net.au iinet.net.au internode.on.net optusnet.com.au tpg.com.au xtra.co.nz
    mweb.co.za telkomsa.net vodamail.co.za`
    .trim()
    .split(/\s+/),
])

/**
 * Forwarding domains of people who hide their own address: relays of Apple, Mozilla, DuckDuckGo,
 * SimpleLogin, Proton and addy.io.
 */
const relays = new Set(
  (
    'privaterelay.appleid.com mozmail.com relay.firefox.com duck.com simplelogin.com simplelogin.co ' +
    'simplelogin.fr aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net ' +
    'dralias.com passmail.net passmail.com passinbox.com passfwd.com addy.io anonaddy.com anonaddy.me'
  ).split(' '),
)

/** Some have a domain for each country, such as `hotmail.fr`, `yahoo.co.jp` and `posteo.de`. */
const COUNTRY_DOMAIN =
  /^(aol|gmx|hotmail|live|outlook|posteo|yahoo)\.((com?|ne|or)\.)?(com|net|[a-z]{2})$/

/** Whether many addresses at a domain are usual. @param domain as in an address of `parseEmail`. */
export function isPublicProvider(domain: string): boolean {
  return publicProviders.has(domain) || COUNTRY_DOMAIN.test(domain) || isRelay(domain)
}

/** Whether a domain forwards mail for people; users of some have a name of their own beneath it. */
function isRelay(domain: string): boolean {
  if (relays.has(domain)) return true
  const parent = domain.slice(domain.indexOf('.') + 1)
  return relays.has(parent)
}
