/**
 * Texts for recognizers that depend on the words around a value: each row is one statement in several wordings, where
 * `{a|b}` stands for either one (`\\|` for the sign itself). The golden files name a text by the alternative that
 * differs from the text of all first ones; `²` and `³` precede those that vary all second or third ones.
 */

/** Random characters, joined here so that nothing in this file looks like a key. */
const body = 'q8Zr2Lw9Xc4Vb7Nm' + '1Kj5Hg3F';
const hex = 'd670460b4b4aece5' + '915caf5c68d12f56';
const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;

/** By recognizer. */
export const texts: Readonly<Record<string, readonly string[]>> = {
  'api-key': [
    `{next|page|continuation|pagination|csrf|sync|cursor|max|total|device|push|public|blue}{_token|Tokens} = "${body}"`,
    `{adafruit|airtable|algolia|asana|atlassian|jira|auth0|bitbucket|cloudflare|codecov|cohere|co_api|coinbase|confluent|contentful|datadog|dd_api|deepl|digitalocean|discord|dropbox|elevenlabs|etsy|facebook|fastly|finnhub|flickr|gitter|grafana|heroku|hubspot|infracost|intercom|artifactory|kraken|launchdarkly|linear|linkedin|lob|mailchimp|mailgun|mapbox|mattermost|messagebird|mistral|netlify|newrelic|notion|nytimes|okta|openai|pinecone|plaid|pusher|rapidapi|sendgrid|sentry|shopify|snyk|sourcegraph|spotify|square|squarespace|stripe|sumologic|telegram|travis|trello|twilio|twitch|twitter|typeform|vercel|yandex|zendesk|blueberry}{_key|_id|Api| api key|_cache_key}{ = "|: }{${uuid}|${hex}|${body.slice(0, 14)}}"`,
    `{--api-key|-token|--blue|--secret-key|Bearer|Basic|Token|"Bearer|x=Bearer|api key|access-token|client_secret|my secret}{ |  |\n}{"|}${body}`,
    `{"name"|"key"|id|"blue"}{: |=}"{API_KEY|db_token|colour}", "{value|val|default|content|blue}": "${body}"`,
  ],
  address: [
    '{at|in|to|moved to|near|Die} {Ziegelgasse|Hauptstraße|Hauptstrasse|Lindenallee|Marktplatz|Kirchweg|Rua Graciliano Ramos|Via Roma|Calle Mayor|Avenida Brasil|Rue du Bac|Ulica Długa|Keizersgracht|Damrak|Storgatan|Vesterbrogade|Karl Johans gate|Mannerheimintie|Andrássy út|Pod Floriánem|Am Ring|Alter Hof|Neuer Markt} {19|19a|19-21|1950|19, 10117 Berlin|19, 75002 Paris|19\n10117 Berlin|12345|19%|19:30|19/2|x}',
    '{lives|lived|living|resides|reside|located|situated|return|meet you|meet us|walks} {on|at|in|to} {Kesä Pod|Kesä and Pod|kesä|Chapter} {16|1677}',
    '{P.O. Box|PO Box|P O Box|Post Office Box|Post Box|box|Box|12 P.O. Box|p.o. box} {12|1234|123456}{, Reno, NV 89501| Reno|.|%|}',
    '{Reno, NV|Reno NV|New Port Town, NV|reno, NV|Reno, nv|Reno, XX|Las Vegas, Nevada|, NV|NV}{, | }{89501|89501-1234|8950|895012}',
    'the station is {on|at|by} {Kesä|Kesä Pod Lan Mun Tol|Kesä Pod Lan Mun Tol Bar Fen|Kesä. Pod|kesä Pod|Kesä and Pod} {16|1677}',
    '{I live at |ship to }{12 oak street|742 maple st}{, |\n|,, |, \t}{reno|leeds|x|o’neill|st. ives} {nv 89501|nv, 89501|nev 89501|neva 89501|nv 895}',
  ],
  'address-jp': [
    '{住所|所在地|本籍|居所|届け先|送付先|配送先|現住所|連絡先|本社|本店|自宅|感想|勤務地|宛先}{：|は|: |「|\n|（日本）：}{東京都渋谷区架空町12|東京都渋谷区架空町12人|東京都は12|渋谷区架空町12}{|。|号}',
    '東京都渋谷区架空町1-2-3{サンプル|架空 |　}{ビルディング|ビル|マンション|ハイツ|コーポ|アパート|タワー|レジデンス|プラザ|メゾン|ハウス|コート|パレス|テラス|ガーデン|荘|寮|館|ヒルズ|スクエア|センター|シティ|棟|橋}{|301|301号室|3F|3階|B1号|2号棟301|A-301号| 301 室}',
  ],
  phone: [
    '{|a|0|-|TEL|Tel |fax|hotel|3.|+}{03-5555-0123|(03)5555-0123|03(5555)0123|03 5555 0123|090-1234-5678|09012345678|0120-123-456|0800-123-4567|0570-012-345|03-555-0123|0466-22-1234|04992-2-1234|090-123-4567|0355550123|00-1234-5678|020-1234-5678|050-1234-5678|060-1234-5678}{|内線12| 内線 345|-1|a|0|です|.5}',
    '{07700 900123|020 7946 0018|0161 496 0018|01632 960018|0800 496 0018|0491 570 156|0400 000 000|0300 123 4567|07700 9001234|11 07700 900123}{| x12|a|-1}',
    'phone {build|model|version|serial|imei|ticket|order|invoice|case|account|parrot}{ | no. | number: | id #| no: |: }{1234567890|123456789012345|415-555-0132}',
    '{call|reach|text|dial|ring|message|whatsapp|registered|callback number|phone}{| me| us| him| her| them| you| parrot}{| directly}{ at| on| to| under| with|}{| the number| number| the}{ |: }{0477 11 28 98|12 34 56 78|2019-05-12}',
  ],
};
