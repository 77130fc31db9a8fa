import type { Words } from '../shared/sentences.ts'

/**
 * Modern Standard Arabic, in wording that needs neither a man nor a woman to be addressed.
 *
 * No native reader has read this file yet. Anybody who writes Arabic every day may: see docs/languages.md.
 */
export const ar = {
  title: '{name} — قريبًا',
  heading: 'قريبًا',
  invitation: 'لمعرفة موعد الانطلاق قبل الجميع',
  label: 'البريد الإلكتروني',
  submit: 'أريد أن أعرف',
  submitting: 'جارٍ الإرسال…',
  didYouMean: 'هل المقصود {domain}؟',
  comment: 'يُترك هذا الحقل فارغًا',
  needsScript: 'يتطلب التسجيل JavaScript. يُرجى تفعيله ثم إعادة تحميل الصفحة.',
  subscribed: 'شكرًا! سنتواصل معكم.',
  letterSent: 'في الطريق رسالة فيها زر للتأكيد.',
  passOn: 'مشاركة الصفحة',
  byEmail: 'البريد الإلكتروني',
  copyLink: 'نسخ الرابط',
  linkCopied: 'تم نسخ الرابط',
  personalLink: 'هذا الرابط شخصي، وبه يُحسب من يأتي عبره ويؤكّد.',
  invalidEmail: 'يُرجى إدخال عنوان بريد إلكتروني صحيح.',
  databaseUnavailable: 'قاعدة البيانات غير متاحة. يُرجى المحاولة لاحقًا.',
  failed: 'تعذّر التسجيل الآن. يُرجى المحاولة لاحقًا.',

  openTitle: '{name} — متاح الآن',
  openDescription: '{name} متاح الآن. {pitch}',
  openHeading: 'متاح الآن',
  openButton: 'الدخول إلى {name}',
  openInvitation: 'ترك البريد الإلكتروني لمعرفة الجديد',

  opens: 'الافتتاح: {time}',
  soon: 'في أي لحظة',
  days: 'ي',
  hours: 'س',
  minutes: 'د',
  seconds: 'ث',

  notFoundHeading: 'لا شيء هنا',
  notFound: 'لا توجد صفحة في هذا العنوان. ربما فيه حرف خاطئ أو ناقص.',
  wayHome: 'إلى صفحتنا',

  unsubscribeHeading: 'إلغاء الاشتراك',
  unsubscribeAsk: 'بعد الضغط على الزر لن تصل منا أي رسالة أخرى.',
  unsubscribeButton: 'إلغاء الاشتراك',
  unsubscribedHeading: 'أُلغي الاشتراك',
  unsubscribed: 'لن تصل منا أي رسالة أخرى. للعودة يكفي ترك العنوان من جديد في صفحتنا.',
  brokenHeading: 'هذا الرابط غير كامل',
  broken: 'جزء منه ناقص، فلم يُلغَ أي اشتراك. يُرجى فتح الرابط من رسالتنا مرة أخرى أو نسخه كاملًا.',
  unavailableHeading: 'ليس بعد',
  unsubscribeUnavailable: 'تعذّر حفظ ذلك الآن. يُرجى المحاولة بعد بضع دقائق.',

  stillHeading: 'هل ما زال الأمر يهمك؟',
  stillAsk: 'بعد الضغط على الزر نعرف أن أخبارنا ما زالت مطلوبة.',
  stillYes: 'نعم، ما زال يهمني',
  stillNoted: 'سجّلنا أن أخبارنا ما زالت مطلوبة.',
  stillBroken: 'جزء منه ناقص، فلم يُسجَّل شيء. يُرجى فتح الرابط من رسالتنا مرة أخرى أو نسخه كاملًا.',

  confirmHeading: 'هل هذا صحيح؟',
  confirmAsk: 'تُرك هذا العنوان في صفحتنا لتلقّي خبر الانطلاق.',
  yes: 'نعم، أريد أن أعرف',
  no: 'لم أطلب ذلك',
  codeHeading: 'خطوة أخيرة',
  codeAsk: 'ضُغط الزران كلاهما كما تفعل برامج فحص البريد. الأرقام الستة موجودة في رسالتنا.',
  codeLabel: 'الرمز الوارد في الرسالة',
  codeButton: 'تأكيد',
  wrongCodeHeading: 'رمز غير صحيح',
  wrongCode:
    'ليست هذه هي الأرقام الستة في رسالتنا. بعد خمسة أخطاء لا يُقبل أي رمز حتى نرسل رسالة أخرى.',
  confirmedHeading: 'تم التأكيد',
  confirmed: 'شكرًا. سنرسل خبر الانطلاق.',
  notMeHeading: 'شكرًا',
  notMe: 'لن نرسل شيئًا، وسيُمحى العنوان خلال 14 يومًا.',
  wasMe: 'بل أنا من طلب ذلك',
  endedHeading: 'انتهت صلاحية الرابط',
  ended: 'كان صالحًا مدة 14 يومًا، أو أن جزءًا منه ناقص. لتلقّي الخبر يكفي ترك العنوان في صفحتنا.',
  confirmUnavailable: 'تعذّر حفظ ذلك الآن. يُرجى فتح الرابط من رسالتنا مرة أخرى بعد بضع دقائق.',

  onListHeading: 'تم التسجيل',
  answerButton: 'إرسال',
  wrongAnswer: 'هذه الإجابة غير صالحة. يُرجى المحاولة مرة أخرى.',
  answeredHeading: 'شكرًا',
  answered: 'حُفظت الإجابة.',
  answerEnded: 'انتهى وقت الإجابة هنا. ولا يزال العنوان في القائمة.',

  letterSubject: 'تأكيد البريد الإلكتروني لدى {name}',
  letterHeading: 'هل هذا صحيح؟',
  letterAsked: 'في {day} عند الساعة {time} تُرك هذا العنوان في {site} لتلقّي خبر انطلاق {name}.',
  letterLink: 'للتأكيد، أو للإبلاغ عن خطأ، يُرجى فتح هذه الصفحة:',
  letterButton: 'تأكيد العنوان',
  letterCode: 'إذا طلبت الصفحة رمزًا فهو {code}.',
  letterOtherwise: 'يمكن الرد حتى {day}. من دون رد لا يحدث شيء: لن نرسل الخبر، وسيُمحى العنوان.',
  letterSender: 'أُرسلت هذه الرسالة باسم {name} لأن هذا العنوان تُرك في {site}.',
  listedQuestion: 'هل هذا صحيح؟ تلقّي خبر انطلاق {name}.',
  listedAsked:
    'هذا العنوان مسجل في قائمة {name} ({site}) لتلقّي خبر انطلاق {name}. وبحسب القائمة سُجّل في {day}.',
  listedOtherwise:
    'يمكن الرد حتى {day}. من دون رد لا يتغير شيء: يبقى العنوان في القائمة. وإذا كان الرد بأن ذلك خطأ فلن نرسل الخبر، وسيُمحى العنوان.',
  listedSender: 'أُرسلت هذه الرسالة باسم {name} لأن هذا العنوان في قائمته.',
  clock: '{time}',

  reason: 'تصل هذه الرسالة بناءً على طلب معرفة موعد انطلاق {name}.',
  unsubscribe: 'إلغاء الاشتراك',
  unsubscribeAt: 'إلغاء الاشتراك: {link}',
} satisfies Words
