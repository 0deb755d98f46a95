import type { Faker } from '@faker-js/faker';
import { importModule, TaskFailed } from '@millrace/plugin-kit';

type Make = (faker: Faker, args: readonly string[]) => unknown;

const integer = (text: string | undefined, fallback: number): number => {
  const number = Number(text);
  return text === undefined || !Number.isFinite(number) ? fallback : Math.trunc(number);
};

const days = (amount: string | undefined, unit = 'DAYS'): number => {
  const units = new Map([
    ['SECONDS', 1 / 86_400],
    ['MINUTES', 1 / 1440],
    ['HOURS', 1 / 24],
    ['DAYS', 1],
  ]);
  return Math.max(1 / 86_400, Number(amount ?? 365) * (units.get(unit.toUpperCase()) ?? 1));
};

/** The Datafaker expressions that flows use, and the functions that generate their values. */
const expressions: Readonly<Record<string, Make>> = {
  'name.fullname': (faker) => faker.person.fullName(),
  'name.name': (faker) => faker.person.fullName(),
  'name.firstname': (faker) => faker.person.firstName(),
  'name.lastname': (faker) => faker.person.lastName(),
  'name.prefix': (faker) => faker.person.prefix(),
  'name.suffix': (faker) => faker.person.suffix(),
  'name.title': (faker) => faker.person.jobTitle(),
  'name.username': (faker) => faker.internet.username(),
  'name.gender': (faker) => faker.person.sex(),
  'internet.emailaddress': (faker) => faker.internet.email(),
  'internet.safeemailaddress': (faker) => faker.internet.exampleEmail(),
  'internet.email': (faker) => faker.internet.email(),
  'internet.username': (faker) => faker.internet.username(),
  'internet.url': (faker) => faker.internet.url(),
  'internet.domainname': (faker) => faker.internet.domainName(),
  'internet.ipv4address': (faker) => faker.internet.ipv4(),
  'internet.publicipv4address': (faker) => faker.internet.ipv4(),
  'internet.ipv6address': (faker) => faker.internet.ipv6(),
  'internet.macaddress': (faker) => faker.internet.mac(),
  'internet.password': (faker) => faker.internet.password(),
  'internet.useragent': (faker) => faker.internet.userAgent(),
  'internet.uuid': (faker) => faker.string.uuid(),
  'internet.httpmethod': (faker) => faker.internet.httpMethod(),
  'address.fulladdress': (faker) =>
    `${faker.location.streetAddress()}, ${faker.location.zipCode()} ${faker.location.city()}`,
  'address.streetaddress': (faker) => faker.location.streetAddress(),
  'address.streetname': (faker) => faker.location.street(),
  'address.buildingnumber': (faker) => faker.location.buildingNumber(),
  'address.city': (faker) => faker.location.city(),
  'address.cityname': (faker) => faker.location.city(),
  'address.country': (faker) => faker.location.country(),
  'address.countrycode': (faker) => faker.location.countryCode(),
  'address.state': (faker) => faker.location.state(),
  'address.stateabbr': (faker) => faker.location.state({ abbreviated: true }),
  'address.zipcode': (faker) => faker.location.zipCode(),
  'address.postcode': (faker) => faker.location.zipCode(),
  'address.latitude': (faker) => String(faker.location.latitude()),
  'address.longitude': (faker) => String(faker.location.longitude()),
  'address.timezone': (faker) => faker.location.timeZone(),
  'phonenumber.phonenumber': (faker) => faker.phone.number(),
  'phonenumber.cellphone': (faker) => faker.phone.number(),
  'company.name': (faker) => faker.company.name(),
  'company.industry': (faker) => faker.commerce.department(),
  'company.catchphrase': (faker) => faker.company.catchPhrase(),
  'company.buzzword': (faker) => faker.company.buzzVerb(),
  'job.title': (faker) => faker.person.jobTitle(),
  'job.field': (faker) => faker.person.jobArea(),
  'commerce.productname': (faker) => faker.commerce.productName(),
  'commerce.department': (faker) => faker.commerce.department(),
  'commerce.material': (faker) => faker.commerce.productMaterial(),
  'commerce.price': (faker, [min, max]) =>
    faker.commerce.price({ min: Number(min ?? 1), max: Number(max ?? 1000) }),
  'commerce.brand': (faker) => faker.company.name(),
  'color.name': (faker) => faker.color.human(),
  'color.hex': (faker) => faker.color.rgb(),
  'currency.code': (faker) => faker.finance.currencyCode(),
  'currency.name': (faker) => faker.finance.currencyName(),
  'finance.creditcard': (faker) => faker.finance.creditCardNumber(),
  'finance.iban': (faker) => faker.finance.iban(),
  'finance.bic': (faker) => faker.finance.bic(),
  'lorem.word': (faker) => faker.lorem.word(),
  'lorem.words': (faker, [count]) => faker.lorem.words(integer(count, 3)),
  'lorem.sentence': (faker, [words]) => faker.lorem.sentence(integer(words, 6)),
  'lorem.sentences': (faker, [count]) => faker.lorem.sentences(integer(count, 3)),
  'lorem.paragraph': (faker) => faker.lorem.paragraph(),
  'lorem.paragraphs': (faker, [count]) => faker.lorem.paragraphs(integer(count, 3)),
  'lorem.characters': (faker, [count]) => faker.string.alpha(integer(count, 255)),
  'number.digit': (faker) => String(faker.number.int({ max: 9 })),
  'number.digits': (faker, [count]) => faker.string.numeric(integer(count, 1)),
  'number.positive': (faker) => faker.number.int({ min: 1, max: 2_147_483_647 }),
  'number.negative': (faker) => -faker.number.int({ min: 1, max: 2_147_483_647 }),
  'number.randomdigit': (faker) => faker.number.int({ max: 9 }),
  'number.randomnumber': (faker) => faker.number.int(),
  'number.numberbetween': (faker, [min, max]) => {
    const [low, high] = [integer(min, 0), integer(max, 100)];
    return faker.number.int({ min: Math.min(low, high), max: Math.max(low, high - 1) });
  },
  'number.randomdouble': (faker, [digits, min, max]) =>
    faker.number.float({
      fractionDigits: integer(digits, 2),
      min: Number(min ?? 0),
      max: Number(max ?? 100),
    }),
  'bool.bool': (faker) => faker.datatype.boolean(),
  'date.past': (faker, [amount, unit]) => faker.date.recent({ days: days(amount, unit) }).toISOString(),
  'date.future': (faker, [amount, unit]) => faker.date.soon({ days: days(amount, unit) }).toISOString(),
  'date.birthday': (faker, [min, max]) =>
    faker.date
      .birthdate({ mode: 'age', min: integer(min, 18), max: integer(max, 65) })
      .toISOString()
      .slice(0, 10),
  'timeanddate.past': (faker, [amount, unit]) =>
    faker.date.recent({ days: days(amount, unit) }).toISOString(),
  'timeanddate.future': (faker, [amount, unit]) =>
    faker.date.soon({ days: days(amount, unit) }).toISOString(),
  'timeanddate.birthday': (faker) => faker.date.birthdate().toISOString().slice(0, 10),
  'idnumber.valid': (faker) => faker.string.numeric(9),
  'file.filename': (faker) => faker.system.fileName(),
  'file.extension': (faker) => faker.system.fileExt(),
  'file.mimetype': (faker) => faker.system.mimeType(),
  'app.name': (faker) => faker.commerce.productName(),
  'app.version': (faker) => faker.system.semver(),
  'hacker.noun': (faker) => faker.hacker.noun(),
  'hacker.verb': (faker) => faker.hacker.verb(),
  'animal.name': (faker) => faker.animal.type(),
  'food.dish': (faker) => faker.food.dish(),
  'food.ingredient': (faker) => faker.food.ingredient(),
  'music.genre': (faker) => faker.music.genre(),
  'book.title': (faker) => faker.book.title(),
  'book.author': (faker) => faker.book.author(),
  'vehicle.vin': (faker) => faker.vehicle.vin(),
  'vehicle.manufacturer': (faker) => faker.vehicle.manufacturer(),
  'vehicle.model': (faker) => faker.vehicle.model(),
  'options.option': (faker, args) => (args.length === 0 ? '' : faker.helpers.arrayElement([...args])),
  numerify: (faker, [pattern = '']) => pattern.replace(/#/g, () => String(faker.number.int({ max: 9 }))),
  letterify: (faker, [pattern = '']) => pattern.replace(/\?/g, () => faker.string.alpha()),
  bothify: (faker, [pattern = '']) =>
    pattern.replace(/[#?]/g, (mark) =>
      mark === '#' ? String(faker.number.int({ max: 9 })) : faker.string.alpha(),
    ),
  regexify: (faker, [pattern = '']) => faker.helpers.fromRegExp(pattern),
};

const expression = /#\{\s*([\w.]+)((?:[^{}']|'(?:[^']|'')*')*)\}/g;

/** Makes values by templates with expressions such as `#{name.firstName}`. */
export class FakerTemplates {
  readonly #faker: Faker;

  constructor(faker: Faker) {
    this.#faker = faker;
  }

  /** The locale's own library is loaded; English when absent. */
  static async load(locales: readonly string[] | undefined): Promise<FakerTemplates> {
    const [first = 'en'] = locales ?? [];
    const name = localeOf(first);
    try {
      const { faker } = await importModule<{ faker: Faker }>(`@faker-js/faker/locale/${name}`);
      return new FakerTemplates(faker);
    } catch (cause) {
      throw new TaskFailed(`The locale "${first}" is unknown; write for example en, de or pt-BR.`, {
        retry: false,
        cause,
      });
    }
  }

  /** A text that is one expression keeps the type of its value. */
  fill(template: unknown): unknown {
    if (Array.isArray(template)) return template.map((item) => this.fill(item));
    if (typeof template === 'object' && template !== null)
      return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, this.fill(value)]));
    if (typeof template !== 'string' || !template.includes('#{')) return template;
    const [whole] = template.matchAll(expression);
    if (whole && whole[0] === template.trim()) return this.#make(whole[1] ?? '', whole[2] ?? '');
    return template.replace(expression, (_, name: string, args: string) => String(this.#make(name, args)));
  }

  #make(name: string, args: string): unknown {
    const key = name.toLowerCase().replaceAll('_', '');
    const make = Object.hasOwn(expressions, key) ? expressions[key] : undefined;
    if (!make) throw new TaskFailed(`The expression "#{${name}}" is unknown.`, { retry: false });
    const values = [...args.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) =>
      value.replaceAll("''", "'"),
    );
    return make(this.#faker, values);
  }
}

/** `pt-BR` and `pt_BR` are one locale. */
function localeOf(written: string): string {
  const [language = 'en', region] = written.split(/[-_]/);
  const name =
    region === undefined ? language.toLowerCase() : `${language.toLowerCase()}_${region.toUpperCase()}`;
  return /^[a-z]{2,3}(_[A-Z]{2})?$/.test(name) ? name : 'unknown';
}
