-- Benchmarks: the rows of poi, park, water, road and region as osm2pgsql (flex, 1.8) makes them.
-- Reads the tables of osm_import/tag_tables.py from the Lua file that TRIGPOINT_TAGGING names (perf/osm2pgsql/peer.py
-- writes it); the rules below are those of tagging.py, line by line.
-- Differences by design: the point of a poi that is an area is its centroid (1.8 has no point on the surface; a pole
-- of inaccessibility costs more), no content_hash, nothing is repaired, no reject.

local T = dofile(assert(os.getenv('TRIGPOINT_TAGGING'), 'TRIGPOINT_TAGGING names no file'))

local function define(layer, geometry, own)
    local columns = {
        { column = 'osm_type', sql_type = 'text', not_null = true },
        { column = 'osm_id', sql_type = 'bigint', not_null = true },
        { column = 'osm_key', sql_type = 'text generated always as (osm_type || osm_id::text) stored',
          create_only = true },
        { column = 'osm_version', sql_type = 'int', not_null = true },
        { column = 'name', sql_type = 'text' },
        { column = 'name_en', sql_type = 'text' },
        { column = 'official_name', sql_type = 'text' },
        { column = 'alt_names', sql_type = 'text[]' },
        { column = 'script', sql_type = 'text' },
        { column = 'class', sql_type = 'text', not_null = true },
        { column = 'tags', type = 'jsonb', not_null = true },
        { column = 'geom', type = geometry, projection = 4326, not_null = true },
        { column = 'geog', sql_type = 'geography(' .. geometry ..
          ', 4326) generated always as (geom::geography) stored', create_only = true },
        { column = 'repaired', type = 'bool', not_null = true },
    }
    for _, column in ipairs(own) do
        columns[#columns + 1] = column
    end
    -- Every index is made afterwards, from schema.sql.
    return osm2pgsql.define_table { name = layer, columns = columns, indexes = {}, cluster = 'no' }
end

local function texts(names)
    local columns = {}
    for name in names:gmatch('%S+') do
        columns[#columns + 1] = { column = name, sql_type = 'text' }
    end
    return columns
end

local poi_own = {
    { column = 'is_area', type = 'bool', not_null = true },
    { column = 'category', sql_type = 'text', not_null = true },
    { column = 'classes', sql_type = 'text[]', not_null = true },
}
for _, column in ipairs(texts('wikidata wikipedia housenumber street suburb city postcode state country')) do
    poi_own[#poi_own + 1] = column
end
local road_own = texts('ref oneway maxspeed surface')
for _, column in ipairs {
    { column = 'lanes', sql_type = 'int' },
    { column = 'bridge', type = 'bool', not_null = true },
    { column = 'tunnel', type = 'bool', not_null = true },
    { column = 'drivable', type = 'bool', not_null = true },
} do
    road_own[#road_own + 1] = column
end
local region_own = {
    { column = 'admin_level', sql_type = 'int' },
    { column = 'border_type', sql_type = 'text' },
    { column = 'place', sql_type = 'text' },
    { column = 'population', sql_type = 'bigint' },
    { column = 'wikidata', sql_type = 'text' },
    { column = 'wikipedia', sql_type = 'text' },
}

local poi = define('poi', 'point', poi_own)
local park = define('park', 'geometry', texts('wikidata wikipedia'))
local water = define('water', 'geometry', texts('wikidata wikipedia'))
local road = define('road', 'linestring', road_own)
local region = define('region', 'multipolygon', region_own)

-- --- tags ---------------------------------------------------------------------------------------------------------

local function trim(text)
    return text:match('^%s*(.-)%s*$')
end

-- The values of a tag, split at ';'.
local function values(text)
    if not text then return {} end
    if not text:find(';', 1, true) then
        local value = trim(text)
        return value ~= '' and { value } or {}
    end
    local parts = {}
    for part in text:gmatch('[^;]+') do
        part = trim(part)
        if part ~= '' then parts[#parts + 1] = part end
    end
    return parts
end

local function is_word(text)
    return text:find('^[a-z][a-z0-9_]*$') ~= nil
end

local CONTACT_WORDS = {
    contact = true, phone = true, telephone = true, tel = true, mobile = true, fax = true, telefax = true,
    email = true, ['e-mail'] = true,
}

-- [prefix:]word[:suffix] or [prefix:]word_1
local function is_contact(key)
    local rest = key:lower()
    local last
    for part in rest:gmatch('[^:]+') do
        if CONTACT_WORDS[part] then return true end
        last = part
    end
    local word = last and last:match('^(.-)_%d+$')
    return word ~= nil and CONTACT_WORDS[word] == true and rest:sub(-1) ~= ':'
end

local known_contact = setmetatable({}, {
    __index = function(cache, key)
        cache[key] = is_contact(key)
        return cache[key]
    end,
})

local MAIL = '[%w_.+\128-\255-]+@[%w_\128-\255-]+%.[%w_.\128-\255-]+'

local function stored_tags(tags)
    local stored = {}
    for key, value in pairs(tags) do
        if not known_contact[key] and not (value:find('@', 1, true) and value:find(MAIL)) then
            stored[key] = value
        end
    end
    return stored
end

-- Most objects carry no key that any layer looks at: half of the time goes without this.
local function may_match(tags, keys)
    for key in pairs(tags) do
        if keys[key] then return true end
    end
    return false
end

local function is_gone(tags)
    for _, key in ipairs(T.lifecycle) do
        if tags[key] == 'yes' then return true end
    end
    return false
end

local function array(parts)
    local quoted = {}
    for i, part in ipairs(parts) do
        quoted[i] = '"' .. part:gsub('[\\"]', '\\%0') .. '"'
    end
    return '{' .. table.concat(quoted, ',') .. '}'
end

local function text(value)
    if value == '' then return nil end
    return value
end

local script_of = setmetatable({}, {
    __index = function(cache, point)
        cache[point] = false
        for _, range in ipairs(T.scripts) do
            if point >= range[1] and point <= range[2] then cache[point] = range[3] end
        end
        return cache[point]
    end,
})

-- The scripts of a name's letters, in their order, joined by '+'.
local function find_script(name)
    if not name:find('[\128-\255]') then return name:find('%a') and 'Latin' or nil end
    local found, seen = {}, {}
    for _, point in utf8.codes(name) do
        local script = script_of[point]
        if script and not seen[script] then
            seen[script] = true
            found[#found + 1] = script
        end
    end
    return text(table.concat(found, '+'))
end

-- The other names, each once.
local function find_alt_names(tags)
    if not tags.alt_name then return nil end
    local names, seen = {}, {}
    for _, name in ipairs(values(tags.alt_name)) do
        if not seen[name] then names[#names + 1] = name end
        seen[name] = true
    end
    return #names > 0 and array(names) or nil
end

-- --- layers: each gives class, shape ('area', 'line'; nil: no row) ----------------------------------------------------

local function poi_classes(tags)
    local classes, main, seen = {}, nil, {}
    local function add(key, class)
        main = main or key
        if not seen[class] then
            seen[class] = true
            classes[#classes + 1] = class
        end
    end
    for _, rule in ipairs(T.poi) do
        local key, allowed = rule[1], rule[2]
        if tags[key] then
            for _, value in ipairs(values(tags[key])) do
                local pair = key .. '=' .. value
                if T.poi_only_named[pair] and not text(tags.name) then
                    -- mostly somebody's garden
                elseif allowed[value] then
                    add(key, value)
                elseif allowed['*'] and not T.not_a_value[value] then
                    add(key, value ~= 'yes' and is_word(value) and value or key)
                elseif T.poi_only_with[pair] then
                    local second = T.poi_only_with[pair]
                    for _, wanted in ipairs(values(tags[second[1]])) do
                        if second[2][wanted] then
                            add(key, value)
                            break
                        end
                    end
                end
            end
        end
    end
    return classes, main
end

local function match_poi(tags)
    local classes, category = poi_classes(tags)
    if #classes == 0 then return nil end
    for _, never in ipairs(T.poi_never) do
        if tags[never[1]] == never[2] then return nil end
    end
    if T.private[tags.access] and (T.poi_public_keys[category] or T.poi_public_classes[classes[1]]) then
        return nil
    end
    return classes, category
end

local function match_park(tags, is_line)
    if T.private[tags.access] or tags['garden:type'] == 'residential' then return nil end
    for _, rule in ipairs(T.park) do
        local key, allowed = rule[1], rule[2]
        if tags[key] then
            for _, value in ipairs(values(tags[key])) do
                if allowed[value] and not (key == 'boundary' and is_line) then return value end
            end
        end
    end
    return nil
end

local function match_water(tags, form)
    local waterway, area = tags.waterway or '', nil
    for _, rule in ipairs(T.water_area) do
        if rule[2][tags[rule[1]] or ''] then
            area = tags[rule[1]]
            break
        end
    end
    if not area and tags.water and form ~= 'line' and is_word(tags.water) then area = 'water' end
    if area then
        local kind = tags.water or ''
        local class = area
        if area == 'water' and is_word(kind) and kind ~= 'yes' and kind ~= 'no' then class = kind end
        if form ~= 'line' then return class, 'area' end
        if not T.water_line_natural[area] and not T.water_line[waterway] then return nil end
    end
    if T.water_line[waterway] then
        local is_area = form == 'relation' or (form == 'ring' and tags.area == 'yes')
        return waterway, is_area and 'area' or 'line'
    end
    if area then return area, 'line' end
    return nil
end

local function admin_level(tags)
    local digits = (tags.admin_level or ''):match('^%s*(%d+)%s*$')
    local level = digits and tonumber(digits)
    return level and level >= 1 and level <= 15 and math.tointeger(level) or nil
end

local function match_region(tags, form)
    local place = T.region_places[tags.place or '']
    if tags.boundary ~= 'administrative' and not place then return nil end
    if form == 'ring' and not text(tags.name) then return nil end
    if place then return place end
    for _, key in ipairs { 'border_type', 'admin_type', 'designation' } do
        if T.region_classes[tags[key] or ''] then return tags[key] end
    end
    return T.admin_level_classes[admin_level(tags) or 0] or T.region_unknown
end

-- --- rows ----------------------------------------------------------------------------------------------------------

local function base_row(object, osm_type)
    local tags = object.tags
    local name = text(tags.name)
    return {
        osm_type = osm_type,
        osm_id = object.id,
        osm_version = object.version,
        name = name,
        name_en = text(tags['name:en']),
        official_name = text(trim(tags.official_name or '')),
        alt_names = find_alt_names(tags),
        script = name and find_script(name) or nil,
        tags = stored_tags(tags),
        repaired = false,
    }
end

-- One row's own columns over what the object's rows share.
local function with(base, class, geometry, own)
    own.class, own.geom = class, geometry
    for key, value in pairs(base) do
        own[key] = value
    end
    return own
end

local function wiki(tags)
    return { wikidata = tags.wikidata, wikipedia = tags.wikipedia }
end

local function add_poi(base, tags, classes, category, geometry, is_area)
    poi:insert(with(base, classes[1], geometry, {
        is_area = is_area,
        category = category,
        classes = array(classes),
        wikidata = tags.wikidata,
        wikipedia = tags.wikipedia,
        housenumber = text(tags['addr:housenumber']),
        street = text(tags['addr:street']) or text(tags['addr:place']),
        suburb = text(tags['addr:suburb']),
        city = text(tags['addr:city']),
        postcode = text(tags['addr:postcode']),
        state = text(tags['addr:state']) or text(tags['addr:province']),
        country = text(tags['addr:country']),
    }))
end

local function add_road(base, tags, object)
    local lanes = (tags.lanes or ''):match('^%s*(%d%d?)%s*$')
    local closed = tags.motor_vehicle == 'no' or tags.vehicle == 'no' or tags.access == 'no'
    road:insert(with(base, tags.highway, object:as_linestring(), {
        ref = tags.ref,
        oneway = tags.oneway,
        maxspeed = tags.maxspeed,
        surface = tags.surface,
        lanes = lanes and tonumber(lanes) or nil,
        bridge = (tags.bridge or 'no') ~= 'no',
        tunnel = (tags.tunnel or 'no') ~= 'no',
        drivable = T.drivable[tags.highway] == true and not closed,
    }))
end

local function add_region(base, tags, class, geometry)
    local people = trim(tags.population or ''):gsub("[ ,.'](%d%d%d)%f[%D]", '%1')
    region:insert(with(base, class, geometry, {
        admin_level = admin_level(tags),
        border_type = tags.border_type,
        place = tags.place,
        population = people:find('^%d+$') and #people <= 12 and tonumber(people) or nil,
        wikidata = tags.wikidata,
        wikipedia = tags.wikipedia,
    }))
end

function osm2pgsql.process_node(object)
    local tags = object.tags
    if not may_match(tags, T.node_keys) or is_gone(tags) then return end
    local classes, category = match_poi(tags)
    local park_class = match_park(tags, false)
    if not classes and not park_class then return end
    local base, point = base_row(object, 'n'), object:as_point()
    if classes then add_poi(base, tags, classes, category, point, false) end
    if park_class then park:insert(with(base, park_class, point, wiki(tags))) end
end

-- Rows of an object that may be an area; `form` is 'ring', 'line' or 'relation'.
local function process_shape(object, osm_type, form, make_area)
    local tags = object.tags
    local is_line = form == 'line'
    local classes, category, park_class, region_class
    if not is_line then
        classes, category = match_poi(tags)
        park_class = match_park(tags, false)
        region_class = match_region(tags, form)
    end
    local water_class, water_shape = match_water(tags, form)
    local is_road = osm_type == 'w' and T.road[tags.highway or ''] and tags.area ~= 'yes'
    if not (classes or park_class or region_class or water_class or is_road) then return end

    local base = base_row(object, osm_type)
    if is_road then add_road(base, tags, object) end
    if water_shape == 'line' then water:insert(with(base, water_class, object:as_linestring(), wiki(tags))) end
    if not (classes or park_class or region_class or water_shape == 'area') then return end
    local area = make_area(object)
    if area:is_null() then return end
    if classes then add_poi(base, tags, classes, category, area:centroid(), true) end
    if park_class then park:insert(with(base, park_class, area, wiki(tags))) end
    if water_shape == 'area' then water:insert(with(base, water_class, area, wiki(tags))) end
    if region_class then add_region(base, tags, region_class, area) end
end

local function polygon(object)
    return object:as_polygon()
end

-- A Polygon where the relation has one part.
local function multipolygon(object)
    local area = object:as_multipolygon()
    if not area:is_null() and area:num_geometries() == 1 then return area:geometry_n(1) end
    return area
end

function osm2pgsql.process_way(object)
    local tags = object.tags
    if not may_match(tags, T.shape_keys) or is_gone(tags) then return end
    local is_ring = object.is_closed and #object.nodes > 3 and tags.area ~= 'no'
        and (not tags.highway or tags.area == 'yes')
    process_shape(object, 'w', is_ring and 'ring' or 'line', polygon)
end

function osm2pgsql.process_relation(object)
    local kind = object.tags.type
    if (kind ~= 'multipolygon' and kind ~= 'boundary') or is_gone(object.tags) then return end
    process_shape(object, 'r', 'relation', multipolygon)
end
