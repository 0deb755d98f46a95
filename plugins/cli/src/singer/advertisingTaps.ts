import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineTap, googleFile } from './define.ts';
import { analyticsReports, endDate, may, need, preset, startDate, tableStreams } from './properties.ts';
import { joined } from './settings.ts';

const reportsFile = 'reports.json';

const googleAnalytics = (input: Readonly<Record<string, unknown>>) => ({
  key_file_location: input.serviceAccount === undefined ? undefined : googleFile,
  oauth_credentials:
    input.oauthRefreshToken === undefined
      ? undefined
      : {
          client_id: input.oauthClientId,
          client_secret: input.oauthClientSecret,
          access_token: input.oauthAccessToken,
          refresh_token: input.oauthRefreshToken,
        },
  oauth_client_id: undefined,
  oauth_client_secret: undefined,
  oauth_access_token: undefined,
  oauth_refresh_token: undefined,
  reports: input.reports === undefined ? undefined : reportsFile,
});

export const advertisingTaps: readonly TaskDefinition[] = [
  defineTap({
    name: 'BigQuery',
    of: 'BigQuery',
    command: 'tap-bigquery',
    packages: ['tap-bigquery'],
    properties: () => ({
      serviceAccount: may.text(
        'The JSON key of a Google service account. The default credentials of the environment are used when absent.',
      ),
      streams: tableStreams(),
      limit: need.integer('The maximum number of rows per stream and run.'),
      startAlwaysInclusive: preset.flag(
        true,
        'Reads rows with exactly the start time again in later runs. Prevents gaps, but can repeat rows.',
      ),
      startDateTime: need.text(
        'Reads rows whose `datetime_key` is at or after this time, as `2026-01-01T00:00:00Z`. Later runs continue from the state.',
      ),
      endDateTime: may.text(
        'Reads rows whose `datetime_key` is before this time; all later rows when absent.',
      ),
    }),
    settings: ({ startDateTime, endDateTime }) => ({
      start_datetime: startDateTime,
      end_datetime: endDateTime,
      start_date_time: undefined,
      end_date_time: undefined,
    }),
    example: {
      streams: [
        {
          name: 'orders',
          table: '`shop.sales.orders`',
          columns: ['id', 'total', 'updated_at'],
          datetime_key: 'updated_at',
        },
      ],
      limit: 100000,
      startDateTime: '2026-01-01T00:00:00Z',
    },
  }),
  defineTap({
    name: 'BingAds',
    of: 'Bing Ads',
    command: 'tap-bing-ads',
    packages: ['tap-bing-ads'],
    properties: () => ({
      developerToken: need.text('The developer token of the Microsoft Advertising API.'),
      oauthClientId: need.text('The client ID of the OAuth application.'),
      oauthClientSecret: need.text('The client secret of the OAuth application.'),
      refreshToken: need.text('The OAuth refresh token, from which the tap gets access tokens.'),
      customerId: need.text('The ID of the customer that owns the accounts.'),
      accountIds: need.texts('The IDs of the advertising accounts to read.'),
      startDate: startDate(),
    }),
    settings: ({ accountIds }) => ({ account_ids: joined(accountIds, ',') }),
    example: {
      developerToken: "{{ secret('DEVELOPER_TOKEN') }}",
      oauthClientId: "{{ secret('OAUTH_CLIENT_ID') }}",
      oauthClientSecret: "{{ secret('OAUTH_CLIENT_SECRET') }}",
      refreshToken: "{{ secret('REFRESH_TOKEN') }}",
      customerId: '1234567',
      accountIds: ['7654321'],
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'ChargeBee',
    of: 'Chargebee',
    command: 'tap-chargebee',
    packages: ['tap-chargebee'],
    properties: () => ({
      apiKey: need.text('The API key of the site, with read access.'),
      site: need.text('The name of the site: `acme` for `acme.chargebee.com`.'),
      productCatalog: preset.text('1.0', 'The version of the product catalog of the site: `1.0` or `2.0`.'),
      startDate: startDate(),
    }),
    example: { apiKey: "{{ secret('API_KEY') }}", site: 'acme', startDate: '2026-01-01' },
  }),
  defineTap({
    name: 'ExchangeRateHost',
    of: 'exchangerate.host',
    command: 'tap-exchangeratehost',
    packages: ['tap-exchangeratehost'],
    properties: () => ({
      base: preset.text('EUR', 'The currency that rates are relative to, as a three-letter code.'),
      startDate: startDate(),
      endDate: endDate(),
    }),
    features: ['STATE'],
    example: { startDate: '2026-01-01' },
  }),
  defineTap({
    name: 'FacebookAds',
    of: 'Facebook Ads',
    command: 'tap-facebook',
    packages: ['tap-facebook'],
    properties: () => ({
      accountId: need.text('The ID of the ad account to read.'),
      accessToken: need.text('The access token of the Marketing API, with the permission `ads_read`.'),
      insightsBufferDays: preset.integer(
        0,
        'How many days before the state insights are read again, because Facebook still corrects them.',
      ),
      startDate: startDate(),
      endDate: endDate(),
    }),
    features: ['PROPERTIES', 'DISCOVER', 'STATE'],
    example: {
      accountId: '1234567890',
      accessToken: "{{ secret('ACCESS_TOKEN') }}",
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'Fastly',
    of: 'Fastly',
    command: 'tap-fastly',
    packages: ['git+https://github.com/splitio/tap-fastly.git'],
    properties: () => ({
      apiToken: need.text('The API token, with the scope `global:read`.'),
      startDate: startDate(),
    }),
    example: { apiToken: "{{ secret('API_TOKEN') }}", startDate: '2026-01-01' },
  }),
  defineTap({
    name: 'GitHub',
    of: 'GitHub',
    command: 'tap-github',
    packages: ['tap-github'],
    properties: () => ({
      accessToken: need.text('The personal access token that reads the repositories.'),
      repositories: need.any(
        'The repositories to read as `owner/name`: a list, or a text with spaces between them.',
      ),
      startDate: startDate(),
      requestTimeout: preset.integer(300, 'The seconds to wait for a response before a request fails.'),
    }),
    settings: ({ repositories }) => ({ repository: joined(repositories, ' '), repositories: undefined }),
    // The tap reads the selection from no other option.
    features: ['PROPERTIES', 'DISCOVER', 'STATE'],
    example: {
      accessToken: "{{ secret('ACCESS_TOKEN') }}",
      repositories: ['company/shop'],
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'Gitlab',
    of: 'GitLab',
    command: 'tap-gitlab',
    packages: ['git+https://github.com/MeltanoLabs/tap-gitlab.git'],
    properties: () => ({
      apiUrl: preset.text('https://gitlab.com', 'The address of the GitLab server.'),
      private_token: need.text('The personal access token that reads the groups and projects.'),
      groups: may.texts(
        'The IDs or paths of groups to read. Without `projects`, all projects of the groups are read.',
      ),
      projects: may.texts('The projects to read, as `namespace/project`.'),
      ultimateLicense: preset.flag(
        false,
        'Also reads epics and other streams that need a license of GitLab Ultimate.',
      ),
      fetchMergeRequestCommits: preset.flag(
        false,
        'Also reads the commits of each merge request. Needs one more request per merge request.',
      ),
      fetchPipelinesExtended: preset.flag(
        false,
        'Also reads the details of each pipeline. Needs one more request per pipeline.',
      ),
      startDate: startDate(),
    }),
    settings: ({ groups, projects }) => ({ groups: joined(groups, ' '), projects: joined(projects, ' ') }),
    example: {
      private_token: "{{ secret('PRIVATE_TOKEN') }}",
      projects: ['company/shop'],
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'GoogleAdwords',
    of: 'Google Ads (AdWords)',
    command: 'tap-adwords',
    packages: ['tap-adwords'],
    properties: () => ({
      developerToken: need.text('The developer token of the Google Ads manager account.'),
      oauthClientId: need.text('The client ID of the OAuth application.'),
      oauthClientSecret: need.text('The client secret of the OAuth application.'),
      refreshToken: need.text('The OAuth refresh token, from which the tap gets access tokens.'),
      customerIds: need.texts('The customer IDs of the accounts to read.'),
      startDate: startDate(),
      endDate: endDate(),
      conversionWindowDays: preset.integer(
        0,
        'How many days before the state reports are read again, because conversions arrive late.',
      ),
      primaryKeys: may.map('The primary key columns of a report by its name.'),
      userAgent: preset.text(
        'tap-adwords via Millrace',
        'The `User-Agent` header of requests, so that the service can identify the caller.',
      ),
    }),
    settings: ({ customerIds }) => ({ customer_ids: joined(customerIds, ',') }),
    features: ['PROPERTIES', 'DISCOVER', 'STATE'],
    example: {
      developerToken: "{{ secret('DEVELOPER_TOKEN') }}",
      oauthClientId: "{{ secret('OAUTH_CLIENT_ID') }}",
      oauthClientSecret: "{{ secret('OAUTH_CLIENT_SECRET') }}",
      refreshToken: "{{ secret('REFRESH_TOKEN') }}",
      customerIds: ['1234567890'],
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'GoogleAnalytics',
    of: 'Google Analytics',
    command: 'tap-google-analytics',
    packages: ['git+https://gitlab.com/meltano/tap-google-analytics.git'],
    properties: () => ({
      serviceAccount: may.text(
        'The JSON key of a Google service account. The default credentials of the environment are used when absent.',
      ),
      oauthClientId: may.text('The client ID of the OAuth application.'),
      oauthClientSecret: may.text('The client secret of the OAuth application.'),
      oauthAccessToken: may.text('An OAuth access token; the tap gets another one when it expires.'),
      oauthRefreshToken: may.text(
        'The OAuth refresh token. Needs `oauthClientId` and `oauthClientSecret`; use it instead of `serviceAccount`.',
      ),
      view_id: may.text('The ID of the view to read.'),
      reports: analyticsReports(),
      startDate: startDate(),
      endDate: endDate(),
    }),
    settings: googleAnalytics,
    files: ({ reports }) => (reports === undefined ? {} : { [reportsFile]: JSON.stringify(reports) }),
    example: {
      serviceAccount: "{{ secret('SERVICE_ACCOUNT') }}",
      view_id: '123456789',
      startDate: '2026-01-01',
    },
  }),
  defineTap({
    name: 'GoogleSearchConsole',
    of: 'Google Search Console',
    command: 'tap-google-search-console',
    packages: ['tap-google-search-console'],
    properties: () => ({
      clientId: need.text('The client ID of the OAuth application.'),
      clientSecret: need.text('The client secret of the OAuth application.'),
      refreshToken: need.text('The OAuth refresh token, from which the tap gets access tokens.'),
      siteUrls: need.texts(
        'The properties to read, such as `https://example.com/` or `sc-domain:example.com`.',
      ),
      startDate: startDate(),
      userAgent: preset.text(
        'tap-google-search-console via Millrace',
        'The `User-Agent` header of requests, so that the service can identify the caller.',
      ),
    }),
    settings: ({ siteUrls }) => ({ site_urls: joined(siteUrls, ', ') }),
    example: {
      clientId: "{{ secret('CLIENT_ID') }}",
      clientSecret: "{{ secret('CLIENT_SECRET') }}",
      refreshToken: "{{ secret('REFRESH_TOKEN') }}",
      siteUrls: ['https://example.com/'],
      startDate: '2026-01-01',
    },
  }),
];
